package io.steadfs.membership;

/**
 * The node {@code /figures/<id>}: the space that an IO server last reported. The node stays when the server goes, so that others still know
 * the size of what cannot be reached.
 *
 * @param capacityBytes of the disk
 * @param freeBytes that writers may still store
 * @param usedBytes of all datafiles
 * @param disk servers with the same text share a disk; empty where it is not known
 * @param atMillis when it was reported, milliseconds since 1970
 */
record FiguresNode(long capacityBytes, long freeBytes, long usedBytes, String disk, long atMillis) {}
