package io.steadfs.cluster;

/**
 * Computes the home shard of a session. The home shard keeps the session, and other shards ask the home shard about the
 * session. A session keeps its home when shards are added: {@link ShardCounts#home}.
 */
public final class HomeShard {
    private HomeShard() {}

    /**
     * Number of the session's home shard: the 64-bit finalizer of MurmurHash3 over the session id, modulo the number of
     * shards.
     */
    public static int of(long session, int shardCount) {
        long mixed = session;
        mixed = (mixed ^ (mixed >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        mixed ^= mixed >>> 33;
        return (int) Long.remainderUnsigned(mixed, shardCount);
    }
}
