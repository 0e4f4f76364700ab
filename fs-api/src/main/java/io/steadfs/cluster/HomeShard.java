package io.steadfs.cluster;

/** Which shard keeps a session. The other shards ask that one. */
public final class HomeShard {
    private HomeShard() {}

    /** Number of the session's shard: the finalizer of MurmurHash3 (64 bits) over the id, modulo the shards. */
    public static int of(long session, int shardCount) {
        long mixed = session;
        mixed = (mixed ^ (mixed >>> 33)) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        mixed ^= mixed >>> 33;
        return (int) Long.remainderUnsigned(mixed, shardCount);
    }
}
