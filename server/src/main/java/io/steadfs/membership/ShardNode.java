package io.steadfs.membership;

/**
 * The content of the node {@code /shards/<number>}, which says which metadata server hosts the shard.
 *
 * @param server the number of the metadata server
 * @param ready whether the shard may begin to serve: an added shard must have learnt the fences of the others first
 */
record ShardNode(int server, @AddedLater("true") boolean ready) {
    /** @throws IllegalArgumentException if no server can have the number; the message names the number */
    ShardNode {
        ServerId.mds(server);
    }
}
