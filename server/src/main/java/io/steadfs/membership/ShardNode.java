package io.steadfs.membership;

/**
 * The node {@code /shards/<number>}: which server hosts the shard.
 *
 * @param server number of the metadata server that hosts it
 */
record ShardNode(int server) {
    /** @throws IllegalArgumentException naming the number that is no server's */
    ShardNode {
        ServerId.mds(server);
    }
}
