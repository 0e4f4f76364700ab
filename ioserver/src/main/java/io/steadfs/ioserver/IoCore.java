package io.steadfs.ioserver;

import io.steadfs.config.Settings;
import io.steadfs.disk.DiskFailure;
import io.steadfs.disk.Space;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.ioserver.datafile.Hold;
import io.steadfs.ioserver.datafile.StoredBytes;
import io.steadfs.ioserver.datafile.UnconfirmedDatafiles;
import io.steadfs.ioserver.datafile.VisibleDatafiles;
import io.steadfs.ioserver.duty.SweepFiles;
import io.steadfs.ioserver.duty.SweepGone;
import io.steadfs.ioserver.file.DataFiles;
import io.steadfs.ioserver.file.OpenFiles;
import io.steadfs.ioserver.lane.Counters;
import io.steadfs.ioserver.lane.DatafileHandles;
import io.steadfs.ioserver.lane.LaneSettings;
import io.steadfs.ioserver.lane.Lanes;
import io.steadfs.ioserver.lease.Leases;
import io.steadfs.ioserver.lease.Validation;
import io.steadfs.ioserver.op.AccountLeases;
import io.steadfs.ioserver.op.AcknowledgeDatafiles;
import io.steadfs.ioserver.op.Beside;
import io.steadfs.ioserver.op.ChecksumDatafile;
import io.steadfs.ioserver.op.CountedReads;
import io.steadfs.ioserver.op.CreateDatafile;
import io.steadfs.ioserver.op.EndLeases;
import io.steadfs.ioserver.op.Grants;
import io.steadfs.ioserver.op.IoDispatcher;
import io.steadfs.ioserver.op.IoOperation;
import io.steadfs.ioserver.op.KnownGenerations;
import io.steadfs.ioserver.op.KnownShards;
import io.steadfs.ioserver.op.LeaseHandles;
import io.steadfs.ioserver.op.LeaseLimits;
import io.steadfs.ioserver.op.ListLeases;
import io.steadfs.ioserver.op.MemoryFirst;
import io.steadfs.ioserver.op.ReadDatafile;
import io.steadfs.ioserver.op.RemoveDatafiles;
import io.steadfs.ioserver.op.RenewLeases;
import io.steadfs.ioserver.op.ReportStatus;
import io.steadfs.ioserver.op.ReserveHandle;
import io.steadfs.ioserver.op.ScanDatafiles;
import io.steadfs.ioserver.op.ScrubDatafiles;
import io.steadfs.ioserver.op.ScrubStore;
import io.steadfs.ioserver.op.SealDatafiles;
import io.steadfs.ioserver.op.Settle;
import io.steadfs.ioserver.op.StatDatafiles;
import io.steadfs.ioserver.op.Stopped;
import io.steadfs.ioserver.op.SyncDatafiles;
import io.steadfs.ioserver.op.TruncateDatafile;
import io.steadfs.ioserver.op.WriteDatafile;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.store.Store;
import io.steadfs.store.Unsettled;
import io.steadfs.time.Clock;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.StatusReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * An IO server without threads, network or ZooKeeper. Requests come in through {@link #requests} and go to lanes. The
 * caller drives the lanes and provides the store and the files. {@link IoServer} puts the core into a process. Tests
 * and simulations run the core in one thread.
 */
public final class IoCore implements AutoCloseable {
    private static final int MOST_PROBLEMS = 100;

    /** The number at which counting for a status stops. */
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
    private final StoredBytes stored;
    private final VisibleDatafiles visible;
    private final CountedReads reads;
    private final Lanes lanes;
    private final Leases leases;
    private final KnownGenerations generations = new KnownGenerations();
    private final IoDispatcher dispatcher;
    private final Hold hold;

    private volatile Validation validation = Validation.NONE;
    private final List<String> problems = new CopyOnWriteArrayList<>();
    private volatile Supplier<List<String>> moreProblems = List::of;
    private volatile Optional<Stopped> stopped = Optional.empty();
    private volatile Optional<Stopped> failure = Optional.empty();

    /**
     * Makes files and rows agree. The core is ready when the constructor returns. The caller closes the store, the
     * files, the space and the handles.
     *
     * @param space the space on the disk of the files
     * @param handles gives handles for new datafiles; the same object for all cores of a process
     * @param readers runs reads; refuses reads beyond its bound
     * @param cluster gives the newest map; empty while there is no map
     * @param messages counters of the transport, which STATUS reports
     */
    public IoCore(
            int serverId,
            Store store,
            DataFiles disk,
            Space space,
            DatafileHandles handles,
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

        Optional<String> unsettled = Unsettled.of(store.committed(), DatafileTables.META);
        hold = new Hold(serverId, store);
        problems.addAll(new SweepFiles(disk, store.committed(), unsettled.isPresent()).run());

        counters = new Counters();
        this.space = space;
        files = new OpenFiles(disk, settings.get(IoKeys.FILES_OPEN).intValue());
        LeaseLimits leaseLimits = LeaseLimits.of(settings);
        leases = new Leases(store.committed(), clock, leaseLimits.durationMillis());
        problems.addAll(leases.problems());
        new SweepGone(store, leases).run();

        stored = StoredBytes.open(store, unsettled.isPresent());
        stored.problem().ifPresent(problem -> problems.add("IO server " + serverId + ": " + problem));

        visible = new VisibleDatafiles(store, leases);
        int laneCount = settings.get(IoKeys.LANES).intValue();
        LaneSettings laneSettings = new LaneSettings(
                store,
                disk,
                files,
                visible,
                leases,
                stored,
                clock,
                counters,
                settings.get(IoKeys.SMALL_MAX).intValue(),
                settings.get(IoKeys.QUEUE).intValue(),
                settings.get(IoKeys.QUEUE_BYTES),
                settings.get(IoKeys.BATCH).intValue(),
                Math.max(1, settings.get(IoKeys.OPEN_MAX).intValue() / laneCount),
                settings.get(IoKeys.OPEN_BYTES) / laneCount);
        lanes = new Lanes(laneCount, laneSettings, this::stop);

        reads = new CountedReads(readers);
        Grants grants = new Grants(serverId, lanes, handles, space, leases, leaseLimits, clock, counters);
        Map<Kind, IoOperation> operations = new EnumMap<>(Kind.class);
        KnownShards shards = new KnownShards(cluster);
        operations.put(Kind.WRITE, new WriteDatafile(serverId, lanes, handles, space, shards, generations, leases));
        operations.put(Kind.CREATE_DATAFILE, new CreateDatafile(serverId, lanes, handles, space, shards, generations));
        operations.put(Kind.READ, new MemoryFirst(new ReadDatafile(serverId, visible, files, disk), reads));
        operations.put(Kind.SYNC, new SyncDatafiles(serverId, lanes));
        operations.put(Kind.TRUNCATE, new TruncateDatafile(serverId, lanes, disk, generations));
        operations.put(Kind.SEAL, new SealDatafiles(serverId, lanes, generations, hold));
        operations.put(Kind.REMOVE, new RemoveDatafiles(serverId, lanes, counters, leases));
        operations.put(Kind.STAT_DATAFILES, new Beside(reads, new StatDatafiles(serverId, visible)));
        operations.put(Kind.CHECKSUM, new Beside(reads, new ChecksumDatafile(serverId, visible)));
        operations.put(Kind.LEASE_HANDLES, new LeaseHandles(grants));
        operations.put(Kind.RESERVE_HANDLE, new ReserveHandle(serverId, lanes, space, leases, grants, counters));
        operations.put(Kind.RENEW_LEASES, new RenewLeases(lanes, leases, clock));
        operations.put(Kind.END_LEASES, new EndLeases(lanes, leases, clock));
        operations.put(Kind.LIST_LEASES, new Beside(reads, new ListLeases(leases)));
        operations.put(
                Kind.ACCOUNT_LEASES, new Beside(reads, new AccountLeases(leases, leaseLimits, () -> validation)));
        operations.put(Kind.ACKNOWLEDGE_DATAFILES, new AcknowledgeDatafiles(serverId, leases));
        operations.put(Kind.SCAN_DATAFILES, new Beside(reads, new ScanDatafiles(serverId, store, leases)));
        operations.put(Kind.SCRUB_DATAFILES, new Beside(reads, new ScrubDatafiles(serverId, visible, files)));
        operations.put(Kind.SCRUB_STORE, new Beside(reads, new ScrubStore(store)));
        operations.put(Kind.STATUS, new ReportStatus(this::status));
        operations.put(Kind.SETTLE_IO_SERVER, new Beside(reads, new Settle(hold)));
        dispatcher = new IoDispatcher(operations, counters, this::epoch, () -> stopped);
    }

    /** The handler that takes the requests. */
    public RequestHandler requests() {
        return dispatcher;
    }

    public Lanes lanes() {
        return lanes;
    }

    public Leases leases() {
        return leases;
    }

    public Space space() {
        return space;
    }

    /** Number of bytes of all datafiles, as of the last commits. */
    public long storedBytes() {
        return stored.total();
    }

    public Counters counters() {
        return counters;
    }

    /** Sets the shards that are asked for the write generations of metafiles. */
    public void askGenerationsOf(KnownGenerations.Shards shards) {
        generations.ask(shards);
    }

    /** Sets the duty that finds out which leased handles belong to files. */
    public void validateBy(Validation by) {
        validation = by;
    }

    /**
     * Adds problems to STATUS from now on.
     *
     * @param more says why the server does not hear of other servers, one line for each reason
     */
    public void report(Supplier<List<String>> more) {
        moreProblems = more;
    }

    /** Stops all changes after a failure. After such a failure it is unknown what the store kept. */
    private synchronized void stop(String reason, Throwable cause) {
        if (failure.isEmpty()) {
            boolean storeFailed = cause instanceof IOException || cause instanceof UncheckedIOException;
            failure = Optional.of(new Stopped(
                    "IO server " + serverId + " stores nothing more: " + reason,
                    storeFailed,
                    DiskFailure.isNoSpace(cause)));
            stopped = failure;
        }
        if (problems.size() < MOST_PROBLEMS) {
            problems.add(reason);
        }
    }

    /** The failure that ended the core; empty if the core has not failed. */
    public Optional<Stopped> failure() {
        return failure;
    }

    private long epoch() {
        return cluster.get().map(ClusterMap::getEpoch).orElse(0L);
    }

    /** The server's own status. */
    public StatusReply status() {
        StatusReply.Builder status = StatusReply.newBuilder()
                .setRole(ClusterMap.Role.IO)
                .setId(serverId)
                .setEpoch(epoch())
                .setUptimeMillis((clock.monotonicNanos() - startNanos) / 1_000_000)
                .putAllCounters(messages.snapshot())
                .putAllCounters(counters.read())
                // These counters exist from the start. So a monitor that watches for a rise sees even the first one.
                .putCounters("connections.refused", messages.load().refusedConnections())
                .putCounters("disk.failures", counters.get("disk.failures"))
                .addAllProblems(hold.problem().stream().toList())
                .addAllProblems(problems)
                .addAllLatencies(messages.toldLatencies())
                .setZookeeperProblem(String.join("; ", moreProblems.get()))
                .addAllProblems(moreProblems.get());
        status.putGauges("space.capacity.bytes", space.capacityBytes());
        status.putGauges("space.free.bytes", space.freeBytes());
        status.putGauges("space.usable.bytes", space.usableBytes());
        status.putGauges("space.stored.bytes", stored.total());
        status.putAllGauges(messages.load().gauges());
        status.putGauges("reads.waiting", reads.waiting());
        status.putGauges("queue.length", lanes.queueLength());
        status.putGauges("datafiles.open", lanes.openDatafiles());
        status.putGauges("datafiles.open.bytes", lanes.openBytes());
        try {
            status.putGauges("datafiles.unconfirmed", unconfirmed());
        } catch (UncheckedIOException e) {
            status.addProblems("IO server " + serverId + ": new datafiles cannot be counted: " + e.getMessage());
        }
        status.putGauges("files.open", files.size());
        status.putGauges("leases.open", leases.count());
        status.putGauges("leases.revoking", leases.revoking());
        status.putGauges("leases.unused", leases.unused());
        Runtime runtime = Runtime.getRuntime();
        status.putGauges("heap.used.bytes", runtime.totalMemory() - runtime.freeMemory());
        return status.build();
    }

    /** Number of new datafiles that no shard has confirmed yet, counted up to {@value #COUNT_MOST}. */
    private long unconfirmed() {
        return UnconfirmedDatafiles.page(store.committed(), Handle.NONE, COUNT_MOST, madeMillis -> true)
                .due()
                .size();
    }

    /** Refuses all requests from now on, makes the datafiles durable, and closes the files. */
    @Override
    public void close() {
        stopped = Optional.of(new Stopped("IO server " + serverId + " is stopping", false, false));
        lanes.close();
        visible.close();
        files.close();
    }
}
