package io.steadfs.client.list;

/**
 * One file or directory in a listing.
 *
 * @param name name in the listed directory; in a listing of a tree, the path below the listed directory, with '/'
 *     between its components
 */
public record Entry(String name, FileInfo info) {}
