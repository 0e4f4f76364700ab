package io.steadfs.client.list;

/**
 * Sums over all that is below a path, the path itself included.
 *
 * @param length bytes of all files
 * @param space bytes on IO servers, copies counted
 */
public record ContentSummary(long length, long files, long directories, long space) {}
