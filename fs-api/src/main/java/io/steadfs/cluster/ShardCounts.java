package io.steadfs.cluster;

import io.steadfs.wire.proto.ClusterMap;

/**
 * How many shards a file system has, for three purposes. Shards that were added later have the highest numbers, so each
 * count means the shards from 0 on. No count ever falls.
 *
 * <pre>
 * formatted <= serving <= all
 * </pre>
 *
 * @param formatted the shards that {@code stead format} made, at least 1. The number never changes. It finds the home of
 *     a session whose home is not named
 * @param serving the shards that may get new directories, partitions, metafiles and sessions
 * @param all the shards whose answers are needed where every shard must answer. A shard that joins is counted here
 *     before it serves
 */
public record ShardCounts(int formatted, int serving, int all) {
    /** The counts in a cluster map. A map of an earlier release has the same count for all purposes. */
    public static ShardCounts of(ClusterMap map) {
        int formatted = Math.max(1, map.getShardCount());
        int serving = Math.max(formatted, map.getServingShards());
        return new ShardCounts(formatted, serving, Math.max(serving, map.getAllShards()));
    }

    /** Whether the map says how many shards there are. A server that has just started may have no such map yet. */
    public static boolean areKnown(ClusterMap map) {
        return map.getShardCount() > 0;
    }

    /** Whether the file system has no other shard. */
    public boolean isOne() {
        return all == 1;
    }

    /** Whether a shard with this number exists, even if it does not serve yet. */
    public boolean has(int shard) {
        return shard >= 0 && shard < all;
    }

    /** The home of a session that is opened now. */
    public int homeOfNew(long session) {
        return HomeShard.of(session, serving);
    }

    /**
     * The home of a session.
     *
     * @param named the named home plus 1; 0 if the home is not named
     */
    public int home(long session, int named) {
        return named > 0 ? named - 1 : HomeShard.of(session, formatted);
    }

    /** How messages and rows name the home of a session that is opened now: as {@link #home} reads it. */
    public int nameOfNew(long session) {
        return serving == formatted ? 0 : homeOfNew(session) + 1;
    }
}
