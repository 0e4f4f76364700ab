package io.steadfs.mds.op;

import io.steadfs.handle.Handle;
import io.steadfs.mds.op.ground.Placement;

/** Names of directories that placement puts where a test wants them. */
public final class PlacedName {
    private static final int SPREAD_DEPTH = 2;

    private PlacedName() {}

    /** Of a directory that belongs on the shard. */
    public static String on(int shard, int shards, Handle parent, int depth) {
        for (int i = 0; ; i++) {
            if (new Placement(SPREAD_DEPTH).shardOf(parent, "n" + i, depth, shards) == shard) {
                return "n" + i;
            }
        }
    }
}
