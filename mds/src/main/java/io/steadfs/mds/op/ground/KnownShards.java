package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.membership.FileSystemFormat;

/**
 * Guards against shards that this shard does not know. Perhaps such a shard was added a moment ago, and this shard has not
 * heard of it yet. So the sender must try again, unless no file system can have a shard with that number.
 */
public final class KnownShards {
    private KnownShards() {}

    /**
     * Refuses an object of a shard that this shard does not know.
     *
     * @param object a handle of some shard
     */
    public static void require(Handle object, Context context) throws Refused {
        require(object.shard(), object.toString(), context);
    }

    /**
     * Refuses a shard that this shard does not know.
     *
     * @param what what the shard is asked about, for the message
     */
    public static void require(int shard, String what, Context context) throws Refused {
        if (!context.shards().has(shard)) {
            boolean canBe = shard >= 0 && shard < FileSystemFormat.MAX_SHARDS;
            throw new Refused(
                    canBe ? FsError.STALE_EPOCH : FsError.INVALID_ARGUMENT,
                    what + " is of shard " + Integer.toUnsignedString(shard) + ", and shard "
                            + context.inputs().shard() + " knows "
                            + context.shards().all() + " shards");
        }
    }
}
