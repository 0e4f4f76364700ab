package io.steadfs.client.list;

/**
 * One line of a listing.
 *
 * @param name in the listed directory; in a tree listing the path below it, components joined by '/'
 */
public record Entry(String name, FileInfo info) {}
