package io.steadfs.client.list;

/**
 * What is below a path, itself included.
 *
 * @param length bytes of all files
 * @param space bytes on IO servers, copies counted
 */
public record ContentSummary(long length, long files, long directories, long space) {}
