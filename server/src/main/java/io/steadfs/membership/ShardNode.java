package io.steadfs.membership;

/**
 * The node {@code /shards/<number>}.
 *
 * @param server number of the metadata server that hosts it
 */
record ShardNode(int server) {
    /** @throws IllegalArgumentException naming what is no server's number */
    ShardNode {
        ServerId.mds(server);
    }
}
