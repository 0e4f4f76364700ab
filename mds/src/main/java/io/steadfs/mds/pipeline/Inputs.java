package io.steadfs.mds.pipeline;

import io.steadfs.handle.Handle;
import io.steadfs.wire.proto.ClusterMap;
import java.util.Optional;

/**
 * All that a decision may know beside the state. Fixed for commands that are decided in one go, so that a decision can be repeated in a test.
 *
 * @param wallMillis milliseconds since 1970, for time stamps only
 * @param shard number of this shard
 * @param cluster the newest cluster map
 * @param incarnation of the handles that this shard gives out now
 * @param sequenceFirst lowest number that the shard may give out under that incarnation; its own counter may be above
 * @param sequenceCeiling first sequence number that is not reserved for this shard
 * @param peerAnswers what other shards answered to the needs of this decision
 * @param full why nothing new may be stored; empty while the disk has room
 */
public record Inputs(
        long wallMillis,
        int shard,
        ClusterMap cluster,
        int incarnation,
        long sequenceFirst,
        long sequenceCeiling,
        PeerAnswers peerAnswers,
        Optional<String> full) {
    /** Without findings, on a disk with room. */
    public Inputs(
            long wallMillis, int shard, ClusterMap cluster, int incarnation, long sequenceFirst, long sequenceCeiling) {
        this(
                wallMillis,
                shard,
                cluster,
                incarnation,
                sequenceFirst,
                sequenceCeiling,
                PeerAnswers.none(),
                Optional.empty());
    }

    /** From the first number on. */
    public Inputs(long wallMillis, int shard, ClusterMap cluster, int incarnation, long sequenceCeiling) {
        this(wallMillis, shard, cluster, incarnation, 1, sequenceCeiling);
    }

    /** As which this process of the shard leases handles: no other one has, or had, that number. */
    public long holder() {
        return Handle.of(Handle.shardOwner(shard), incarnation, sequenceFirst).value();
    }

    public Inputs with(PeerAnswers found) {
        return new Inputs(wallMillis, shard, cluster, incarnation, sequenceFirst, sequenceCeiling, found, full);
    }

    /** The same on a disk that is full, or has room. */
    public Inputs with(Optional<String> whyFull) {
        return new Inputs(
                wallMillis, shard, cluster, incarnation, sequenceFirst, sequenceCeiling, peerAnswers, whyFull);
    }
}
