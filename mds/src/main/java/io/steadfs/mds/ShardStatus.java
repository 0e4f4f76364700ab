package io.steadfs.mds;

import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.log.MetadataLog;
import io.steadfs.mds.pipeline.ShardCore;
import io.steadfs.mds.pipeline.ShardCounters;
import io.steadfs.mds.session.RecoveringFiles;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.store.ReadView;
import io.steadfs.time.Clock;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.StatusReply;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/** A metadata server's account of itself. Queues are counted up to {@value #COUNT_MOST}. */
final class ShardStatus implements Supplier<StatusReply> {
    private static final int COUNT_MOST = 10_000;

    private final int serverId;
    private final Clock clock;
    private final long startedNanos;
    private final MetadataLog log;
    private final ShardCore core;
    private final SessionTimes sessions;
    private final Supplier<ClusterMap> cluster;
    private final Supplier<Map<String, Long>> moreCounters;

    ShardStatus(
            int serverId,
            Clock clock,
            MetadataLog log,
            ShardCore core,
            SessionTimes sessions,
            Supplier<ClusterMap> cluster,
            Supplier<Map<String, Long>> moreCounters) {
        this.serverId = serverId;
        this.clock = clock;
        this.startedNanos = clock.monotonicNanos();
        this.log = log;
        this.core = core;
        this.sessions = sessions;
        this.cluster = cluster;
        this.moreCounters = moreCounters;
    }

    @Override
    public StatusReply get() {
        ReadView view = log.committed();
        ShardCounters counters = core.counters();
        StatusReply.Builder status = StatusReply.newBuilder()
                .setRole(ClusterMap.Role.MDS)
                .setId(serverId)
                .setEpoch(cluster.get().getEpoch())
                .setUptimeMillis(TimeUnit.NANOSECONDS.toMillis(clock.monotonicNanos() - startedNanos))
                .putAllCounters(moreCounters.get())
                .putCounters("log.batches", counters.batches())
                .putCounters("log.records", counters.records())
                .putCounters("requests.decided", counters.commands())
                .putCounters("requests.busy", counters.busy())
                .putCounters("requests.cancelled", counters.cancelled())
                .putCounters("requests.faults", counters.faults())
                .putGauges("queue.length", core.queueLength())
                .putGauges("sessions.open", sessions.size())
                .putGauges("deletion.datafiles", DeletionQueue.count(view, COUNT_MOST))
                .putGauges(
                        "deletion.trees",
                        DeletionQueue.trees(view, Handle.NONE, COUNT_MOST).size())
                .putGauges(
                        "recovery.files",
                        RecoveringFiles.after(view, Handle.NONE, COUNT_MOST).size())
                .putGauges("heap.used.bytes", heapUsed());
        core.stopped().ifPresent(why -> status.addProblems("the shard stopped: " + why));
        return status.build();
    }

    private static long heapUsed() {
        Runtime runtime = Runtime.getRuntime();
        return runtime.totalMemory() - runtime.freeMemory();
    }
}
