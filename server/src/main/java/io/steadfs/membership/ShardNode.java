package io.steadfs.membership;

/**
 * The node {@code /shards/<number>}.
 *
 * @param server number of the metadata server that hosts it
 */
record ShardNode(int server) {}
