package io.steadfs.ioserver.op;

import io.steadfs.handle.Handle;
import io.steadfs.wire.proto.ClusterMap;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * The shards of the file system, which own all metafiles. Their number is fixed when the file system is formatted, so a map of any age has
 * it. A datafile made for a metafile of a shard that does not exist could never be confirmed or removed.
 */
public final class KnownShards {
    private final Supplier<Optional<ClusterMap>> cluster;

    /** @param cluster a map of any age; while there is none, every shard may exist */
    public KnownShards(Supplier<Optional<ClusterMap>> cluster) {
        this.cluster = cluster;
    }

    /** Why no metafile can have this handle; empty if one can. */
    Optional<String> refusal(Handle metafile) {
        if (!metafile.isOwnedByShard()) {
            return Optional.of("handle " + metafile + " is of owner " + metafile.owner() + " and names no metafile");
        }
        int shards = cluster.get().map(ClusterMap::getShardCount).orElse(0);
        if (shards > 0 && metafile.shard() >= shards) {
            return Optional.of("metafile " + metafile + " is of shard " + metafile.shard() + ", the file system has "
                    + shards + (shards == 1 ? " shard" : " shards"));
        }
        return Optional.empty();
    }
}
