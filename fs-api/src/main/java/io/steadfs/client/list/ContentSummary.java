package io.steadfs.client.list;

/**
 * Sums over a path and everything below the path.
 *
 * @param length bytes of all files, each byte counted once
 * @param files number of files
 * @param directories number of directories
 * @param space bytes of all files on IO servers, with every copy counted
 */
public record ContentSummary(long length, long files, long directories, long space) {}
