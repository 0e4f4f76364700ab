package io.steadfs.ioserver;

import io.steadfs.config.Settings;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.UnconfirmedDatafiles;
import io.steadfs.ioserver.datafile.VisibleDatafiles;
import io.steadfs.ioserver.duty.SweepFiles;
import io.steadfs.ioserver.file.DataFiles;
import io.steadfs.ioserver.file.OpenFiles;
import io.steadfs.ioserver.file.Space;
import io.steadfs.ioserver.lane.Counters;
import io.steadfs.ioserver.lane.DatafileHandles;
import io.steadfs.ioserver.lane.LaneSettings;
import io.steadfs.ioserver.lane.Lanes;
import io.steadfs.ioserver.op.Beside;
import io.steadfs.ioserver.op.ChecksumDatafile;
import io.steadfs.ioserver.op.Desk;
import io.steadfs.ioserver.op.ReadDatafile;
import io.steadfs.ioserver.op.RemoveDatafiles;
import io.steadfs.ioserver.op.ReportStatus;
import io.steadfs.ioserver.op.SealDatafiles;
import io.steadfs.ioserver.op.StatDatafiles;
import io.steadfs.ioserver.op.SyncDatafiles;
import io.steadfs.ioserver.op.TruncateDatafile;
import io.steadfs.ioserver.op.Verb;
import io.steadfs.ioserver.op.WriteDatafile;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.store.Store;
import io.steadfs.time.Clock;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.StatusReply;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * An IO server without threads, network or ZooKeeper: what comes in by {@link #requests} goes to lanes that somebody
 * drives, over a store and files that somebody gives. {@link IoServer} puts it into a process, a test or simulation into
 * one thread.
 */
public final class IoCore implements AutoCloseable {
    private static final int MOST_PROBLEMS = 100;

    /** Where counting for a status stops. */
    private static final int COUNT_MOST = 10_000;

    private final int serverId;
    private final Store store;
    private final Clock clock;
    private final long startNanos;
    private final Supplier<Optional<ClusterMap>> cluster;
    private final MessageCounters messages;

    private final Counters counters;
    private final Space space;
    private final OpenFiles files;
    private final Lanes lanes;
    private final Desk desk;

    private final List<String> problems = new CopyOnWriteArrayList<>();
    private volatile Optional<String> stopped = Optional.empty();

    /**
     * Makes files and rows agree, and is ready on return. Store and files stay the caller's.
     *
     * @param numbers reserved for this server's handles
     * @param readers runs reads; refuses what is beyond its bound
     * @param cluster the newest map; empty while there is none
     * @param messages counted by whoever carries them; reported in STATUS
     */
    public IoCore(
            int serverId,
            Store store,
            DataFiles disk,
            DatafileHandles.Source numbers,
            Clock clock,
            Executor readers,
            Supplier<Optional<ClusterMap>> cluster,
            MessageCounters messages,
            Settings settings)
            throws IOException {
        this.serverId = serverId;
        this.store = store;
        this.clock = clock;
        this.startNanos = clock.monotonicNanos();
        this.cluster = cluster;
        this.messages = messages;

        problems.addAll(new SweepFiles(disk, store.committed()).run());

        counters = new Counters();
        space = new Space(disk, settings.get(IoKeys.RESERVE));
        files = new OpenFiles(disk, settings.get(IoKeys.FILES_OPEN).intValue());
        VisibleDatafiles visible = new VisibleDatafiles(store);
        DatafileHandles handles = new DatafileHandles(serverId, numbers);
        int laneCount = settings.get(IoKeys.LANES).intValue();
        LaneSettings laneSettings = new LaneSettings(
                store,
                disk,
                files,
                visible,
                clock,
                counters,
                settings.get(IoKeys.SMALL_MAX).intValue(),
                settings.get(IoKeys.QUEUE).intValue(),
                settings.get(IoKeys.QUEUE_BYTES),
                Math.max(1, settings.get(IoKeys.OPEN_MAX).intValue() / laneCount),
                settings.get(IoKeys.OPEN_BYTES) / laneCount);
        lanes = new Lanes(laneCount, laneSettings, this::stop);

        Map<Kind, Verb> verbs = new EnumMap<>(Kind.class);
        verbs.put(Kind.WRITE, new WriteDatafile(serverId, lanes, handles, space));
        verbs.put(Kind.READ, new Beside(readers, new ReadDatafile(serverId, visible, files, disk)));
        verbs.put(Kind.SYNC, new SyncDatafiles(serverId, lanes));
        verbs.put(Kind.TRUNCATE, new TruncateDatafile(serverId, lanes, disk));
        verbs.put(Kind.SEAL, new SealDatafiles(serverId, lanes));
        verbs.put(Kind.REMOVE, new RemoveDatafiles(serverId, lanes, counters));
        verbs.put(Kind.STAT_DATAFILES, new Beside(readers, new StatDatafiles(serverId, visible)));
        verbs.put(Kind.CHECKSUM, new Beside(readers, new ChecksumDatafile(serverId, visible)));
        verbs.put(Kind.STATUS, new ReportStatus(this::status));
        desk = new Desk(verbs, counters, this::epoch, () -> stopped);
    }

    /** Where requests come in. */
    public RequestHandler requests() {
        return desk;
    }

    public Lanes lanes() {
        return lanes;
    }

    public Space space() {
        return space;
    }

    public Counters counters() {
        return counters;
    }

    /** After a failure that leaves unknown what the store kept: nothing is answered but STATUS. */
    private void stop(String reason) {
        stopped = Optional.of("IO server " + serverId + " does nothing more: " + reason);
        if (problems.size() < MOST_PROBLEMS) {
            problems.add(reason);
        }
    }

    private long epoch() {
        return cluster.get().map(ClusterMap::getEpoch).orElse(0L);
    }

    private StatusReply status() {
        StatusReply.Builder status = StatusReply.newBuilder()
                .setRole(ClusterMap.Role.IO)
                .setId(serverId)
                .setEpoch(epoch())
                .setUptimeMillis((clock.monotonicNanos() - startNanos) / 1_000_000)
                .putAllCounters(messages.snapshot())
                .putAllCounters(counters.read())
                .addAllProblems(problems);
        status.putGauges("space.capacity.bytes", space.capacityBytes());
        status.putGauges("space.free.bytes", space.freeBytes());
        status.putGauges("space.usable.bytes", space.usableBytes());
        status.putGauges("queue.length", lanes.queueLength());
        status.putGauges("datafiles.open", lanes.openDatafiles());
        status.putGauges("datafiles.unconfirmed", unconfirmed());
        status.putGauges("files.open", files.size());
        Runtime runtime = Runtime.getRuntime();
        status.putGauges("heap.used.bytes", runtime.totalMemory() - runtime.freeMemory());
        return status.build();
    }

    /** New datafiles that no shard has confirmed yet, {@value #COUNT_MOST} at most. */
    private long unconfirmed() {
        return UnconfirmedDatafiles.page(store.committed(), Handle.NONE, COUNT_MOST, Long.MAX_VALUE)
                .due()
                .size();
    }

    /** Refuses what comes from now on, makes durable what is there, closes the files. */
    @Override
    public void close() {
        if (stopped.isEmpty()) {
            stopped = Optional.of("IO server " + serverId + " is stopping");
        }
        lanes.close();
        files.close();
    }
}
