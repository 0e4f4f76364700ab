package io.steadfs.membership;

/**
 * The content of the node {@code /shards/<number>}, which says which metadata server hosts the shard.
 *
 * @param server the number of the metadata server
 */
record ShardNode(int server) {
    /** @throws IllegalArgumentException if no server can have the number; the message names the number */
    ShardNode {
        ServerId.mds(server);
    }
}
