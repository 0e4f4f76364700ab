package io.steadfs.ioserver.op;

import io.steadfs.cluster.ShardCounts;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.membership.FileSystemFormat;
import io.steadfs.wire.proto.ClusterMap;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Knows the shards of the file system, which own all metafiles. A metafile of a shard that does not exist is refused,
 * because its datafiles could never be confirmed or removed. Perhaps a shard was added, and this server has not heard of
 * it yet. So the sender must try again, unless no file system can have a shard with that number.
 */
public final class KnownShards {
    private final Supplier<Optional<ClusterMap>> cluster;

    /** @param cluster gives a cluster map of any age; without a map, every shard may exist */
    public KnownShards(Supplier<Optional<ClusterMap>> cluster) {
        this.cluster = cluster;
    }

    /** Why a metafile with the handle is refused. */
    record Refusal(FsError error, String message) {}

    /** Why no metafile can have the handle; empty if a metafile can. */
    Optional<Refusal> refusal(Handle metafile) {
        if (!metafile.isOwnedByShard()) {
            return Optional.of(new Refusal(
                    FsError.INVALID_ARGUMENT,
                    "handle " + metafile + " is of owner " + metafile.owner() + " and names no metafile"));
        }
        Optional<ShardCounts> known =
                cluster.get().filter(ShardCounts::areKnown).map(ShardCounts::of);
        if (known.isPresent() && !known.get().has(metafile.shard())) {
            int all = known.get().all();
            return Optional.of(new Refusal(
                    metafile.shard() < FileSystemFormat.MAX_SHARDS ? FsError.STALE_EPOCH : FsError.INVALID_ARGUMENT,
                    "metafile " + metafile + " is of shard " + metafile.shard() + ", the file system has " + all
                            + (all == 1 ? " shard" : " shards")));
        }
        return Optional.empty();
    }
}
