package io.steadfs.membership;

/**
 * The node {@code /figures/<id>}: what an IO server last told of its space. It stays when the server goes, so that others
 * still know what cannot be reached.
 *
 * @param capacityBytes of the disk
 * @param freeBytes what writers may still store
 * @param usedBytes of all datafiles
 * @param disk servers with the same text share a disk; empty where it is not known
 * @param atMillis when it was told, milliseconds since 1970
 */
record FiguresNode(long capacityBytes, long freeBytes, long usedBytes, String disk, long atMillis) {}
