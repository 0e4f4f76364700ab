package io.steadfs.mds.op;

import io.steadfs.handle.Handle;
import io.steadfs.mds.op.ground.Placement;
import io.steadfs.partition.NameHash;

/** Names that placement, or their hash, puts where a test wants them. */
public final class PlacedName {
    private static final int SPREAD_DEPTH = 2;

    private PlacedName() {}

    /** The first of f0, f1, ... whose hash is in that half of all hashes. */
    public static String inHalf(boolean isUpper) {
        for (int i = 0; ; i++) {
            if (NameHash.of("f" + i) < 0 == isUpper) {
                return "f" + i;
            }
        }
    }

    /** Of a directory that belongs on the shard. */
    public static String on(int shard, int shards, Handle parent, int depth) {
        for (int i = 0; ; i++) {
            if (new Placement(SPREAD_DEPTH).shardOf(parent, "n" + i, depth, shards) == shard) {
                return "n" + i;
            }
        }
    }
}
