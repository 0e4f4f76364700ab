package io.steadfs.membership;

/**
 * The content of the node {@code /shards/<number>}, which says which metadata server hosts the shard.
 *
 * @param server the number of the metadata server
 */
record ShardNode(int server) {
    /** @throws IllegalArgumentException naming the number, if no server can have it */
    ShardNode {
        ServerId.mds(server);
    }
}
