package io.steadfs.ioserver.op;

import io.steadfs.handle.Handle;
import io.steadfs.wire.proto.ClusterMap;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Knows the shards of the file system, which own all metafiles. The number of shards is fixed at the format of the file
 * system, so even an old cluster map has the right number. A metafile of a shard that does not exist is refused,
 * because its datafiles could never be confirmed or removed.
 */
public final class KnownShards {
    private final Supplier<Optional<ClusterMap>> cluster;

    /** @param cluster gives a cluster map of any age; without a map, every shard may exist */
    public KnownShards(Supplier<Optional<ClusterMap>> cluster) {
        this.cluster = cluster;
    }

    /** Why no metafile can have the handle; empty if a metafile can. */
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
