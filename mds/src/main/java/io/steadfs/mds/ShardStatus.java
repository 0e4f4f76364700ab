package io.steadfs.mds;

import io.steadfs.cluster.ShardCounts;
import io.steadfs.handle.Handle;
import io.steadfs.mds.copy.ShardCopies;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.duty.HandOvers;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.log.MetadataLog;
import io.steadfs.mds.outbox.Outbox;
import io.steadfs.mds.partition.Givings;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.pipeline.ShardCore;
import io.steadfs.mds.pipeline.ShardCounters;
import io.steadfs.mds.pool.PooledLease;
import io.steadfs.mds.pool.PooledLeases;
import io.steadfs.mds.session.Claims;
import io.steadfs.mds.session.FileCount;
import io.steadfs.mds.session.RecoveringFiles;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import io.steadfs.store.Unsettled;
import io.steadfs.time.Clock;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.StatusReply;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * The status of a shard. Queues are counted up to {@value #COUNT_MOST} entries. The numbers of files are sums over at
 * most {@value #COUNT_MOST} sessions.
 */
final class ShardStatus implements Supplier<StatusReply> {
    private static final int COUNT_MOST = 10_000;

    private final int serverId;
    private final int shard;
    private final Clock clock;
    private final long startedNanos;
    private final MetadataLog log;
    private final ShardCore core;
    private final ShardCopies copies;
    private final Recounts recounts;
    private final HandOvers handOvers;
    private final Supplier<ClusterMap> cluster;
    private final Supplier<Map<String, Long>> moreCounters;

    ShardStatus(
            int serverId,
            int shard,
            Clock clock,
            MetadataLog log,
            ShardCore core,
            ShardCopies copies,
            Recounts recounts,
            HandOvers handOvers,
            Supplier<ClusterMap> cluster,
            Supplier<Map<String, Long>> moreCounters) {
        this.serverId = serverId;
        this.shard = shard;
        this.clock = clock;
        this.startedNanos = clock.monotonicNanos();
        this.log = log;
        this.core = core;
        this.copies = copies;
        this.recounts = recounts;
        this.handOvers = handOvers;
        this.cluster = cluster;
        this.moreCounters = moreCounters;
    }

    @Override
    public StatusReply get() {
        ReadView view = log.committed();
        ShardCounters counters = core.counters();
        List<Session> sessions = Sessions.after(view, 0, COUNT_MOST);
        FileCount files = FileCount.sum(view, COUNT_MOST);
        Maps.Count partitions = Maps.count(view, shard, COUNT_MOST);
        StatusReply.Builder status = StatusReply.newBuilder()
                .setRole(ClusterMap.Role.MDS)
                .setId(serverId)
                .setEpoch(cluster.get().getEpoch())
                .setUptimeMillis(TimeUnit.NANOSECONDS.toMillis(clock.monotonicNanos() - startedNanos))
                .putAllCounters(moreCounters.get())
                .putAllCounters(copies.counters())
                .putAllCounters(handOvers.counters())
                .putAllGauges(copies.gauges())
                .putCounters("log.batches", counters.batches())
                .putCounters("log.records", counters.records())
                .putCounters("requests.decided", counters.commands())
                .putCounters("requests.busy", counters.busy())
                .putCounters("requests.cancelled", counters.cancelled())
                .putCounters("requests.faults", counters.faults())
                .putCounters("counts.recounted", recounts.total())
                .putGauges("queue.length", core.queueLength())
                .putGauges("sessions.open", count(sessions, false))
                .putGauges("sessions.guest", count(sessions, true))
                .putGauges("deletion.datafiles", DeletionQueue.count(view, COUNT_MOST))
                .putGauges(
                        "deletion.trees",
                        DeletionQueue.trees(view, Handle.NONE, COUNT_MOST).size())
                .putGauges(
                        "recovery.files",
                        RecoveringFiles.after(view, Handle.NONE, COUNT_MOST).size())
                .putGauges("pool.handles", pooled(view))
                .putGauges("metafiles.written", files.written() + Claims.sum(view, COUNT_MOST))
                .putGauges("metafiles.unlinked", files.unnamed())
                .putGauges("partitions.owned", partitions.partitions())
                .putGauges("partitions.directories", partitions.directories())
                .putGauges("partitions.giving", Givings.all(view).size())
                .putGauges("outbox.pending", Outbox.count(view, COUNT_MOST))
                .putGauges("intents.open", Intents.numbers(view, 0, COUNT_MOST).size())
                .putGauges(
                        "intents.prepared", PreparedSlots.all(view, COUNT_MOST).size());
        for (int server : DeletionQueue.servers(view)) {
            status.putGauges("deletion.io-" + server, DeletionQueue.count(view, server, COUNT_MOST));
        }
        Unsettled.of(view, ShardTables.META)
                .ifPresent(why -> status.addProblems(Unsettled.problem("shard " + shard, why)));
        copies.problem().ifPresent(status::addProblems);
        core.stopped().ifPresent(why -> status.addProblems("shard " + shard + " stopped: " + why));
        return status.build();
    }

    private static long pooled(ReadView view) {
        return PooledLeases.all(view).values().stream()
                .flatMap(List::stream)
                .mapToLong(PooledLease::count)
                .sum();
    }

    /**
     * Counts the sessions that have not ended.
     *
     * @param guests true = counts the guests; false = counts the sessions whose home is this shard
     */
    private long count(List<Session> sessions, boolean guests) {
        ShardCounts shards = ShardCounts.of(cluster.get());
        return sessions.stream()
                .filter(session -> !session.ended() && session.isGuest(shard, shards) == guests)
                .count();
    }
}
