package io.steadfs.membership;

/**
 * The content of the node {@code /shards/<number>}, which says which metadata server hosts the shard, and whether the shard
 * moves to another one (docs/decisions/0035):
 *
 * <pre>
 *  {server:1}                            mds-1 serves
 *  {server:1, movesTo:2}                 mds-1 serves; mds-2 copies the store
 *  {server:1, movesTo:2, given:true}     mds-1 has closed the store for good, and mds-2 copies the rest of it
 *  {server:2, moved:true, ready:false}   mds-2 has the whole store, and opens it
 *  {server:2, moved:true}                mds-2 serves
 * </pre>
 *
 * @param server the number of the metadata server
 * @param ready whether the shard may begin to serve: an added shard must have learnt the fences of the others first, and a
 *     shard that was closed for a move must have been opened by its host
 * @param movesTo the number of the metadata server to which the shard moves; 0 = the shard stays
 * @param given whether the host has closed the store for good, so that the other server may have it
 * @param moved whether the server hosts the shard because the shard moved to it. Then nothing else says who hosts it
 */
record ShardNode(
        int server,
        @AddedLater("true") boolean ready,
        @AddedLater("0") int movesTo,
        @AddedLater("false") boolean given,
        @AddedLater("false") boolean moved) {
    /** @throws IllegalArgumentException if the values are impossible; the message names them */
    ShardNode {
        ServerId.mds(server);
        if (movesTo != 0) {
            ServerId.mds(movesTo);
        }
        if (movesTo == server || (given && movesTo == 0)) {
            throw new IllegalArgumentException(
                    "a shard of mds-" + server + " moves to mds-" + movesTo + ", given: " + given);
        }
    }

    /** A shard that stays with the host that the configuration or the format has chosen. */
    static ShardNode chosen(int server, boolean ready) {
        return new ShardNode(server, ready, 0, false, false);
    }

    ShardNode becameReady() {
        return new ShardNode(server, true, movesTo, given, moved);
    }

    ShardNode movingTo(int target) {
        return new ShardNode(server, ready, target, false, moved);
    }

    /** The shard stays where it is. If the host has closed it, it must open it again. */
    ShardNode staying() {
        return new ShardNode(server, ready && !given, 0, false, moved);
    }

    ShardNode givenAway() {
        return new ShardNode(server, ready, movesTo, true, moved);
    }

    /** The server to which the shard moves has become its host, and has not opened it yet. */
    ShardNode taken() {
        return new ShardNode(movesTo, false, 0, false, true);
    }
}
