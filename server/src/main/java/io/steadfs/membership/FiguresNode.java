package io.steadfs.membership;

/**
 * The content of the node {@code /figures/<id>}: the space that an IO server last reported. The node stays after the
 * server has stopped. So other servers still know the space of an IO server that they cannot reach.
 *
 * @param capacityBytes the size of the disk
 * @param freeBytes the number of bytes that writers may still store
 * @param usedBytes the number of bytes in all datafiles
 * @param disk identifies the disk; empty if the disk is unknown. Two servers with the same text share a disk
 * @param atMillis the time of the report, in milliseconds since 1970
 */
record FiguresNode(long capacityBytes, long freeBytes, long usedBytes, String disk, long atMillis) {}
