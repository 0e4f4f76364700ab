package io.steadfs.mds.pipeline;

import io.steadfs.cluster.ShardCounts;
import io.steadfs.handle.Handle;
import io.steadfs.wire.proto.ClusterMap;
import java.util.Optional;

/**
 * Holds all that a decision may know besides the state. Commands that are decided together have the same inputs, so a
 * test can repeat a decision.
 *
 * @param wallMillis milliseconds since 1970, for time stamps only
 * @param shard number of this shard
 * @param cluster the newest cluster map
 * @param incarnation the incarnation of the handles that this shard gives out now
 * @param sequenceFirst lowest number that the shard may give out under that incarnation; the shard's own counter may be
 *     higher
 * @param sequenceCeiling first sequence number that is not reserved for this shard
 * @param peerAnswers answers of other shards to the needs of this decision
 * @param full why nothing new may be stored; empty = the disk has room
 * @param copies copies of directories that other shards own
 * @param starts tokens for the starts of path walks
 * @param times whether a change of a directory's entries sets its modification time
 * @param namesPerSecond how many names this shard makes in a second, of late
 */
public record Inputs(
        long wallMillis,
        int shard,
        ClusterMap cluster,
        int incarnation,
        long sequenceFirst,
        long sequenceCeiling,
        PeerAnswers peerAnswers,
        Optional<String> full,
        AncestorCopies copies,
        StartTokens starts,
        DirectoryTimes times,
        double namesPerSecond) {
    /** Makes inputs without answers of other shards, for a disk with room, with exact times of directories. */
    public Inputs(
            long wallMillis,
            int shard,
            ClusterMap cluster,
            int incarnation,
            long sequenceFirst,
            long sequenceCeiling,
            StartTokens starts) {
        this(
                wallMillis,
                shard,
                cluster,
                incarnation,
                sequenceFirst,
                sequenceCeiling,
                PeerAnswers.none(),
                Optional.empty(),
                AncestorCopies.NONE,
                starts,
                DirectoryTimes.EXACT,
                0);
    }

    /** Makes inputs without start tokens. */
    public Inputs(
            long wallMillis, int shard, ClusterMap cluster, int incarnation, long sequenceFirst, long sequenceCeiling) {
        this(wallMillis, shard, cluster, incarnation, sequenceFirst, sequenceCeiling, StartTokens.NONE);
    }

    /** Makes inputs whose sequence starts at the first number. */
    public Inputs(long wallMillis, int shard, ClusterMap cluster, int incarnation, long sequenceCeiling) {
        this(wallMillis, shard, cluster, incarnation, 1, sequenceCeiling);
    }

    /**
     * Returns the holder number under which this process of the shard leases handles. No other process ever has the
     * same number.
     */
    public long holder() {
        return Handle.of(Handle.shardOwner(shard), incarnation, sequenceFirst).value();
    }

    /** How many shards there are, by the newest cluster map. */
    public ShardCounts shards() {
        return ShardCounts.of(cluster);
    }

    public Inputs with(PeerAnswers found) {
        return with(found, full, copies, times, namesPerSecond);
    }

    /** Returns the same inputs for a disk that is full or has room. The reason is empty if the disk has room. */
    public Inputs with(Optional<String> whyFull) {
        return with(peerAnswers, whyFull, copies, times, namesPerSecond);
    }

    /** Returns the same inputs with these copies. */
    public Inputs with(AncestorCopies held) {
        return with(peerAnswers, full, held, times, namesPerSecond);
    }

    public Inputs with(DirectoryTimes configured) {
        return with(peerAnswers, full, copies, configured, namesPerSecond);
    }

    public Inputs withNamesPerSecond(double made) {
        return with(peerAnswers, full, copies, times, made);
    }

    private Inputs with(
            PeerAnswers found, Optional<String> whyFull, AncestorCopies held, DirectoryTimes configured, double made) {
        return new Inputs(
                wallMillis,
                shard,
                cluster,
                incarnation,
                sequenceFirst,
                sequenceCeiling,
                found,
                whyFull,
                held,
                starts,
                configured,
                made);
    }
}
