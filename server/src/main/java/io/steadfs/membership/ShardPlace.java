package io.steadfs.membership;

/**
 * Where a shard is, and where it moves to, as ZooKeeper says.
 *
 * @param host the number of the metadata server that hosts the shard
 * @param ready whether the shard may serve, or serves already
 * @param movesTo the number of the metadata server to which the shard moves; 0 = the shard stays
 * @param given whether the host has closed the store for good, so that the other server may have it
 * @param moved whether the shard is at its host because it moved there, whatever configurations say
 * @param version the version of the node. Each change raises it by one
 */
public record ShardPlace(int host, boolean ready, int movesTo, boolean given, boolean moved, int version) {
    static ShardPlace of(ShardNode node, int version) {
        return new ShardPlace(node.server(), node.ready(), node.movesTo(), node.given(), node.moved(), version);
    }

    /**
     * The number of the present move: the version of the node in which the host did not have given the store yet. Two moves
     * of a shard never have the same number.
     *
     * @throws IllegalStateException if the shard stays
     */
    public int move() {
        if (movesTo == 0) {
            throw new IllegalStateException("a shard that stays: " + this);
        }
        return given ? version - 1 : version;
    }
}
