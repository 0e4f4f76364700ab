package io.steadfs.mds;

import com.google.protobuf.MessageLite;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.mds.call.CallDispatcher;
import io.steadfs.mds.call.PursuitGround;
import io.steadfs.mds.call.Routes;
import io.steadfs.mds.call.ThreadsOfUsers;
import io.steadfs.mds.call.TrustingAuthenticator;
import io.steadfs.mds.deletion.DatafilesQueued;
import io.steadfs.mds.deletion.TreeQueued;
import io.steadfs.mds.duty.Acknowledgements;
import io.steadfs.mds.duty.DeletionDrain;
import io.steadfs.mds.duty.FileRecovery;
import io.steadfs.mds.duty.FloorInquiry;
import io.steadfs.mds.duty.IntentFinish;
import io.steadfs.mds.duty.IoServers;
import io.steadfs.mds.duty.LeaseSupply;
import io.steadfs.mds.duty.LockInquiry;
import io.steadfs.mds.duty.OutboxDrain;
import io.steadfs.mds.duty.PoolLimits;
import io.steadfs.mds.duty.SessionFence;
import io.steadfs.mds.duty.SessionReaper;
import io.steadfs.mds.duty.TreeReclaim;
import io.steadfs.mds.duty.WakeOnRecord;
import io.steadfs.mds.intent.AwaitedShards;
import io.steadfs.mds.intent.IntentPeers;
import io.steadfs.mds.intent.SlotCount;
import io.steadfs.mds.log.LocalLog;
import io.steadfs.mds.log.MetadataLog;
import io.steadfs.mds.op.attribute.GetXattrs;
import io.steadfs.mds.op.attribute.RemoveXattr;
import io.steadfs.mds.op.attribute.SetAttributes;
import io.steadfs.mds.op.attribute.SetXattr;
import io.steadfs.mds.op.check.CheckDatafiles;
import io.steadfs.mds.op.check.CheckObjects;
import io.steadfs.mds.op.check.ScanEntries;
import io.steadfs.mds.op.check.ScanListed;
import io.steadfs.mds.op.check.ScanObjects;
import io.steadfs.mds.op.check.ScanPartitions;
import io.steadfs.mds.op.check.ScanPending;
import io.steadfs.mds.op.check.ScrubStore;
import io.steadfs.mds.op.check.WatchObjects;
import io.steadfs.mds.op.ground.NamespaceLimits;
import io.steadfs.mds.op.ground.UnlessDiskFull;
import io.steadfs.mds.op.ground.WithinNameLimits;
import io.steadfs.mds.op.intent.CloseIntent;
import io.steadfs.mds.op.intent.FinishIntent;
import io.steadfs.mds.op.intent.ForgetNotices;
import io.steadfs.mds.op.intent.IntentStatus;
import io.steadfs.mds.op.intent.NotifyObjects;
import io.steadfs.mds.op.intent.PrepareSlot;
import io.steadfs.mds.op.intent.RaiseFloor;
import io.steadfs.mds.op.intent.UndoIntent;
import io.steadfs.mds.op.intent.UndoLostSlot;
import io.steadfs.mds.op.layout.ConfirmDatafiles;
import io.steadfs.mds.op.layout.DropLeases;
import io.steadfs.mds.op.layout.FenceHandles;
import io.steadfs.mds.op.layout.ForgetDatafiles;
import io.steadfs.mds.op.layout.PoolLease;
import io.steadfs.mds.op.layout.WithinBlockFloor;
import io.steadfs.mds.op.list.ContentSummary;
import io.steadfs.mds.op.list.ListDirectory;
import io.steadfs.mds.op.list.ListOpenFiles;
import io.steadfs.mds.op.list.ListTree;
import io.steadfs.mds.op.list.LookUp;
import io.steadfs.mds.op.list.Stat;
import io.steadfs.mds.op.list.StatHandles;
import io.steadfs.mds.op.mend.Mend;
import io.steadfs.mds.op.mend.Settle;
import io.steadfs.mds.op.name.AbandonMetafile;
import io.steadfs.mds.op.name.CheckTree;
import io.steadfs.mds.op.name.CreateFile;
import io.steadfs.mds.op.name.CreateMetafile;
import io.steadfs.mds.op.name.DeletePath;
import io.steadfs.mds.op.name.LinkFile;
import io.steadfs.mds.op.name.Mkdirs;
import io.steadfs.mds.op.name.ReclaimTree;
import io.steadfs.mds.op.name.RemoveUnlinked;
import io.steadfs.mds.op.name.TreePermission;
import io.steadfs.mds.op.name.WithinFileLimits;
import io.steadfs.mds.op.rename.Ancestors;
import io.steadfs.mds.op.rename.RenamePath;
import io.steadfs.mds.op.server.GetClusterMap;
import io.steadfs.mds.op.server.GetStatus;
import io.steadfs.mds.op.server.StartShard;
import io.steadfs.mds.op.session.CloseSession;
import io.steadfs.mds.op.session.ExpireSession;
import io.steadfs.mds.op.session.FenceSessions;
import io.steadfs.mds.op.session.OpenSession;
import io.steadfs.mds.op.session.RenewSession;
import io.steadfs.mds.op.session.SessionLimit;
import io.steadfs.mds.op.session.SessionStatus;
import io.steadfs.mds.op.write.AbandonFile;
import io.steadfs.mds.op.write.AppendFile;
import io.steadfs.mds.op.write.AttachDatafiles;
import io.steadfs.mds.op.write.CloseFile;
import io.steadfs.mds.op.write.CompleteRecovery;
import io.steadfs.mds.op.write.RaiseGeneration;
import io.steadfs.mds.op.write.RecoverLease;
import io.steadfs.mds.op.write.RecoveredLength;
import io.steadfs.mds.op.write.TruncateFile;
import io.steadfs.mds.outbox.NoticeQueued;
import io.steadfs.mds.peer.PeerShards;
import io.steadfs.mds.pipeline.CommitListener;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.Peers;
import io.steadfs.mds.pipeline.ShardCore;
import io.steadfs.mds.pipeline.ShardLimits;
import io.steadfs.mds.pipeline.Totals;
import io.steadfs.mds.session.FileCountChange;
import io.steadfs.mds.session.FileLimits;
import io.steadfs.mds.session.RecoveryQueued;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.mds.watch.Watches;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.Transport;
import io.steadfs.server.Administrators;
import io.steadfs.store.Store;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AbandonMetafileRequest;
import io.steadfs.wire.proto.AbandonRequest;
import io.steadfs.wire.proto.AncestorsRequest;
import io.steadfs.wire.proto.AppendRequest;
import io.steadfs.wire.proto.AttachRequest;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.CheckDatafilesRequest;
import io.steadfs.wire.proto.CheckObjectsRequest;
import io.steadfs.wire.proto.CheckTreeRequest;
import io.steadfs.wire.proto.CloseRequest;
import io.steadfs.wire.proto.CloseSessionRequest;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.ClusterMapRequest;
import io.steadfs.wire.proto.ConfirmDatafilesRequest;
import io.steadfs.wire.proto.ContentSummaryRequest;
import io.steadfs.wire.proto.CreateMetafileRequest;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.DeleteRequest;
import io.steadfs.wire.proto.FenceHandlesRequest;
import io.steadfs.wire.proto.FenceSessionsRequest;
import io.steadfs.wire.proto.FinishRequest;
import io.steadfs.wire.proto.GetXattrsRequest;
import io.steadfs.wire.proto.IntentStatusRequest;
import io.steadfs.wire.proto.LinkRequest;
import io.steadfs.wire.proto.ListOpenFilesRequest;
import io.steadfs.wire.proto.ListRequest;
import io.steadfs.wire.proto.ListTreeRequest;
import io.steadfs.wire.proto.LookUpRequest;
import io.steadfs.wire.proto.MendRequest;
import io.steadfs.wire.proto.MkdirsRequest;
import io.steadfs.wire.proto.NotifyRequest;
import io.steadfs.wire.proto.OpenSessionRequest;
import io.steadfs.wire.proto.PrepareRequest;
import io.steadfs.wire.proto.RecoverLeaseRequest;
import io.steadfs.wire.proto.RemoveXattrRequest;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.RenewSessionRequest;
import io.steadfs.wire.proto.ScanEntriesRequest;
import io.steadfs.wire.proto.ScanListedRequest;
import io.steadfs.wire.proto.ScanObjectsRequest;
import io.steadfs.wire.proto.ScanPartitionsRequest;
import io.steadfs.wire.proto.ScanPendingRequest;
import io.steadfs.wire.proto.ScrubStoreRequest;
import io.steadfs.wire.proto.SessionStatusRequest;
import io.steadfs.wire.proto.SetAttributesRequest;
import io.steadfs.wire.proto.SetXattrRequest;
import io.steadfs.wire.proto.SettleRequest;
import io.steadfs.wire.proto.StatHandlesRequest;
import io.steadfs.wire.proto.StatRequest;
import io.steadfs.wire.proto.StatusReply;
import io.steadfs.wire.proto.StatusRequest;
import io.steadfs.wire.proto.TruncateFileRequest;
import io.steadfs.wire.proto.WatchObjectsRequest;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * One shard with all its parts put together: log, writer's core, the door for clients, duties. The store, the clock, the
 * scheduler, the transport and the threads come from outside. So the same wiring serves in a process and in a simulation.
 * Only the caller steps the core: {@link #core}.
 */
public final class ShardService {
    /** Entries of a cut-off directory that one command clears. */
    private static final int RECLAIM_ENTRIES = 256;

    /** How long a request waits for locks of other shards before its client is answered BUSY. */
    private static final long PATIENCE_MILLIS = 5_000;

    public static final ConfigKey<Long> SPREAD_DEPTH = ConfigKey.number(
            "stead.mkdir.spread.depth",
            2,
            0,
            1000,
            "",
            "New directories at this depth or less are dealt out over the metadata shards; deeper ones stay with their"
                    + " parent.");

    /** Keeps the rows that count other rows. */
    public static final Totals TOTALS = ((Totals) FileCountChange::rows).and(SlotCount::rows);

    private final ShardCore core;
    private final ShardStatus status;
    private final CallDispatcher door;
    private final DeletionDrain deletionDrain;
    private final OutboxDrain outboxDrain;
    private final TreeReclaim treeReclaim;
    private final FileRecovery fileRecovery;
    private final SessionReaper sessionReaper;
    private final SessionFence sessionFence;
    private final IntentFinish intentFinish;
    private final LockInquiry lockInquiry;
    private final FloorInquiry floorInquiry;
    private final LeaseSupply leaseSupply;
    private final Acknowledgements acknowledgements;
    private final StartShard firstCommand;

    /**
     * What a shard needs from outside.
     *
     * @param serverId number of the metadata server
     * @param shard number of the shard
     * @param superuser name of the superuser, from the configuration or from the format
     * @param scheduler runs the duties; one thread
     * @param longReads runs long reads; refuses one by RejectedExecutionException
     * @param full why nothing new may be stored, empty if there is room; asked for each batch
     * @param counters counters of the parts from outside, for the status
     */
    public record Dependencies(
            int serverId,
            int shard,
            String superuser,
            Store store,
            Clock clock,
            Scheduler scheduler,
            Transport transport,
            ThreadsOfUsers longReads,
            Supplier<ClusterMap> cluster,
            HandleReserve handles,
            Supplier<Optional<String>> full,
            Supplier<Map<String, Long>> counters) {}

    public ShardService(Settings settings, Dependencies dependencies) {
        long sessionMillis = settings.get(SessionTimes.DURATION);
        FileLimits fileLimits = FileLimits.from(settings);
        NamespaceLimits nameLimits = NamespaceLimits.from(settings);
        int spreadDepth = settings.get(SPREAD_DEPTH).intValue();
        String supergroup = settings.get(Administrators.SUPERGROUP);
        Clock clock = dependencies.clock();
        Scheduler scheduler = dependencies.scheduler();

        // The core: log, inputs, writer.
        MetadataLog log = new LocalLog(dependencies.store());
        ShardInputs inputs = new ShardInputs(
                clock, dependencies.shard(), dependencies.cluster(), dependencies.handles(), dependencies.full());
        Recounts recounts = new Recounts(dependencies.shard());
        Watches watches = new Watches(clock);
        SessionTimes sessionTimes = new SessionTimes();
        CommitListener wakes = new WakeOnRecord(Map.of(
                DatafilesQueued.class, this::wakeDrain,
                TreeQueued.class, this::wakeReclaim,
                RecoveryQueued.class, this::wakeRecovery,
                NoticeQueued.class, this::wakeOutbox));
        core = new ShardCore(
                log,
                inputs,
                ShardLimits.from(settings),
                TOTALS,
                // First in the chain, so that a failure of another listener cannot keep a name from being noted.
                watches.and(wakes)
                        .and(recounts)
                        .and(records -> sessionTimes.committed(
                                records,
                                dependencies.shard(),
                                dependencies.cluster().get().getShardCount(),
                                clock.monotonicNanos()))
                        .and(records -> leaseSupply().committed(records))
                        .and(records -> acknowledgements().committed(records)));
        firstCommand = new StartShard(dependencies.superuser(), supergroup);

        // The other shards.
        Peers peers =
                new PeerShards(dependencies.transport(), dependencies.cluster(), settings.get(PeerShards.TIMEOUT));
        IntentPeers intentPeers = new IntentPeers(dependencies.shard(), peers, log::committed);
        AwaitedShards awaitedShards = new AwaitedShards();
        intentFinish = new IntentFinish(
                log::committed, core, intentPeers, awaitedShards, scheduler, UndoIntent::new, CloseIntent::new);
        lockInquiry = new LockInquiry(log::committed, core, intentPeers, scheduler, UndoLostSlot::new);
        floorInquiry = new FloorInquiry(log::committed, core, intentPeers, scheduler, RaiseFloor::new);

        outboxDrain = new OutboxDrain(
                log::committed,
                core,
                (shard, notice) -> peers.send(shard, Kind.NOTIFY, "notify", Caller.getDefaultInstance(), notice),
                scheduler,
                clock,
                ForgetNotices::new);

        // The duties.
        IoServers ioServers =
                new IoServers(dependencies.transport(), dependencies.cluster(), settings.get(IoServers.TIMEOUT));
        deletionDrain = new DeletionDrain(log::committed, core, ioServers, scheduler, clock, ForgetDatafiles::new);
        treeReclaim = new TreeReclaim(
                log::committed, core, scheduler, directory -> new ReclaimTree(directory, RECLAIM_ENTRIES));
        fileRecovery = new FileRecovery(
                log::committed,
                core,
                ioServers,
                scheduler,
                RecoveredLength::cuts,
                CompleteRecovery::new,
                RaiseGeneration::new);
        sessionReaper = new SessionReaper(
                log::committed,
                core,
                sessionTimes,
                sessionMillis,
                scheduler,
                clock,
                new SessionReaper.GuestSessions(
                        dependencies.shard(),
                        () -> dependencies.cluster().get().getShardCount(),
                        (home, request) -> peers.send(
                                home, Kind.SESSION_STATUS, "session status", Caller.getDefaultInstance(), request)),
                ExpireSession::new);
        sessionFence = new SessionFence(
                log::committed,
                core,
                new SessionFence.Others(
                        dependencies.shard(),
                        () -> dependencies.cluster().get().getShardCount(),
                        (other, request) -> peers.send(
                                other, Kind.FENCE_SESSIONS, "fence sessions", Caller.getDefaultInstance(), request)),
                sessionMillis,
                scheduler,
                RemoveUnlinked::new);

        leaseSupply = new LeaseSupply(
                log::committed,
                core,
                ioServers,
                scheduler,
                clock,
                () -> inputs.forRead().holder(),
                "shard " + dependencies.shard(),
                PoolLimits.of(settings),
                new LeaseSupply.Commands() {
                    @Override
                    public InternalCommand<Boolean> pool(long holder, HandleRange range) {
                        return new PoolLease(holder, range);
                    }

                    @Override
                    public InternalCommand<Integer> drop(int server, Set<Handle> firsts) {
                        return new DropLeases(server, firsts);
                    }
                });

        acknowledgements = new Acknowledgements(ioServers, scheduler, clock);

        // The clients' door.
        status = new ShardStatus(
                dependencies.serverId(),
                dependencies.shard(),
                clock,
                log,
                core,
                recounts,
                dependencies.cluster(),
                dependencies.counters());
        Routes routes = new Routes()
                .read(Kind.CLUSTER_MAP, ClusterMapRequest.class, new GetClusterMap())
                .read(Kind.STATUS, StatusRequest.class, new GetStatus(status))
                .write(
                        Kind.OPEN_SESSION,
                        OpenSessionRequest.class,
                        new OpenSession(sessionMillis),
                        new SessionLimit(
                                sessionTimes, settings.get(SessionTimes.MOST), settings.get(SessionTimes.MOST_OF_USER)))
                .read(
                        Kind.RENEW_SESSION,
                        RenewSessionRequest.class,
                        new RenewSession(sessionMillis, sessionTimes, clock))
                .write(Kind.CLOSE_SESSION, CloseSessionRequest.class, new CloseSession())
                .read(Kind.SESSION_STATUS, SessionStatusRequest.class, new SessionStatus())
                .write(Kind.FENCE_SESSIONS, FenceSessionsRequest.class, new FenceSessions())
                .write(Kind.FENCE_HANDLES, FenceHandlesRequest.class, new FenceHandles())
                .read(Kind.STAT, StatRequest.class, new Stat())
                .read(Kind.LIST, ListRequest.class, new ListDirectory())
                .scan(Kind.LIST_TREE, ListTreeRequest.class, new ListTree())
                .read(Kind.GET_XATTRS, GetXattrsRequest.class, new GetXattrs())
                .scan(Kind.CONTENT_SUMMARY, ContentSummaryRequest.class, new ContentSummary())
                .write(
                        Kind.CREATE,
                        CreateRequest.class,
                        WithinNameLimits.of(
                                Kind.CREATE,
                                nameLimits,
                                CreateRequest::getLocation,
                                new WithinBlockFloor<>(
                                        Kind.CREATE,
                                        nameLimits,
                                        CreateRequest::getBlockSize,
                                        oneMoreFile(Kind.CREATE, fileLimits, new CreateFile(spreadDepth)))))
                .write(
                        Kind.MKDIRS,
                        MkdirsRequest.class,
                        WithinNameLimits.of(
                                Kind.MKDIRS,
                                nameLimits,
                                MkdirsRequest::getLocation,
                                new UnlessDiskFull<>(Kind.MKDIRS, new Mkdirs(spreadDepth))))
                .write(Kind.DELETE, DeleteRequest.class, new DeletePath(), new TreePermission())
                .write(
                        Kind.RENAME,
                        RenameRequest.class,
                        WithinNameLimits.of(Kind.RENAME, nameLimits, RenameRequest::getTarget, new RenamePath()))
                .write(Kind.SET_ATTRIBUTES, SetAttributesRequest.class, new SetAttributes())
                .write(
                        Kind.SET_XATTR,
                        SetXattrRequest.class,
                        new UnlessDiskFull<>(Kind.SET_XATTR, new SetXattr(nameLimits)))
                .write(Kind.REMOVE_XATTR, RemoveXattrRequest.class, new RemoveXattr())
                .write(Kind.ATTACH, AttachRequest.class, new AttachDatafiles())
                .write(Kind.CLOSE, CloseRequest.class, new CloseFile())
                .write(Kind.APPEND, AppendRequest.class, oneMoreFile(Kind.APPEND, fileLimits, new AppendFile()))
                .write(Kind.TRUNCATE_FILE, TruncateFileRequest.class, new TruncateFile())
                .write(Kind.RECOVER_LEASE, RecoverLeaseRequest.class, new RecoverLease())
                .write(Kind.ABANDON, AbandonRequest.class, new AbandonFile())
                .write(
                        Kind.CREATE_METAFILE,
                        CreateMetafileRequest.class,
                        new WithinBlockFloor<>(
                                Kind.CREATE_METAFILE,
                                nameLimits,
                                CreateMetafileRequest::getBlockSize,
                                oneMoreFile(Kind.CREATE_METAFILE, fileLimits, new CreateMetafile())))
                .write(
                        Kind.LINK,
                        LinkRequest.class,
                        WithinNameLimits.of(
                                Kind.LINK,
                                nameLimits,
                                LinkRequest::getLocation,
                                new UnlessDiskFull<>(Kind.LINK, new LinkFile(spreadDepth))))
                .write(Kind.ABANDON_METAFILE, AbandonMetafileRequest.class, new AbandonMetafile())
                .read(Kind.STAT_HANDLES, StatHandlesRequest.class, new StatHandles())
                .read(Kind.LOOK_UP, LookUpRequest.class, new LookUp())
                .read(Kind.ANCESTORS, AncestorsRequest.class, new Ancestors())
                .scan(Kind.CHECK_TREE, CheckTreeRequest.class, new CheckTree())
                .write(Kind.NOTIFY, NotifyRequest.class, new NotifyObjects())
                .read(Kind.CONFIRM_DATAFILES, ConfirmDatafilesRequest.class, new ConfirmDatafiles())
                .scan(Kind.LIST_OPEN_FILES, ListOpenFilesRequest.class, new ListOpenFiles())
                .scan(Kind.SCAN_LISTED, ScanListedRequest.class, new ScanListed())
                .scan(Kind.CHECK_DATAFILES, CheckDatafilesRequest.class, new CheckDatafiles())
                .scan(Kind.SCAN_OBJECTS, ScanObjectsRequest.class, new ScanObjects())
                .scan(Kind.SCAN_ENTRIES, ScanEntriesRequest.class, new ScanEntries())
                .scan(Kind.SCAN_PARTITIONS, ScanPartitionsRequest.class, new ScanPartitions())
                .scan(Kind.SCAN_PENDING, ScanPendingRequest.class, new ScanPending())
                .scan(Kind.SCRUB_STORE, ScrubStoreRequest.class, new ScrubStore(dependencies.store()))
                .scan(Kind.CHECK_OBJECTS, CheckObjectsRequest.class, new CheckObjects())
                .scan(Kind.WATCH_OBJECTS, WatchObjectsRequest.class, new WatchObjects(watches))
                .write(Kind.MEND, MendRequest.class, new Mend())
                .write(Kind.SETTLE_SHARD, SettleRequest.class, new Settle())
                .write(Kind.PREPARE, PrepareRequest.class, new PrepareSlot())
                .write(Kind.FINISH, FinishRequest.class, new FinishIntent())
                .read(Kind.INTENT_STATUS, IntentStatusRequest.class, new IntentStatus(intentPeers::lowestOpen));
        door = new CallDispatcher(
                routes,
                new TrustingAuthenticator(dependencies.superuser(), supergroup),
                log,
                view -> inputs.forRead(),
                PursuitGround.of(
                        core,
                        peers,
                        intentPeers,
                        awaitedShards,
                        intentFinish,
                        clock,
                        scheduler,
                        PATIENCE_MILLIS,
                        new SplittableRandom(dependencies.shard())),
                sessionTimes,
                clock,
                dependencies.longReads(),
                () -> dependencies.cluster().get().getEpoch());
    }

    /** Wraps an operation that gives one more file to the caller's session. */
    private static <Q extends MessageLite> Operation<Q> oneMoreFile(
            Kind kind, FileLimits most, Operation<Q> operation) {
        return new UnlessDiskFull<>(kind, new WithinFileLimits<>(kind, most, operation));
    }

    /**
     * Queues the shard's first command and starts the duties. Requests may come from now on. They are decided after the first
     * command.
     *
     * @return completes when the shard is ready, on a writer thread
     */
    public CompletableFuture<Boolean> start() {
        core.submit(firstCommand);
        intentFinish.start();
        lockInquiry.start();
        floorInquiry.start();
        sessionReaper.start();
        sessionFence.start();
        fileRecovery.start();
        treeReclaim.start();
        deletionDrain.start();
        outboxDrain.start();
        leaseSupply.start();
        acknowledgements.start();
        return firstCommand.outcome();
    }

    /** Keeps the duties from starting anything more. The owner of the core, who steps it, closes it. */
    public void stop() {
        intentFinish.stop();
        lockInquiry.stop();
        floorInquiry.stop();
        sessionReaper.stop();
        sessionFence.stop();
        fileRecovery.stop();
        treeReclaim.stop();
        deletionDrain.stop();
        outboxDrain.stop();
        leaseSupply.stop();
        acknowledgements.stop();
    }

    /** Takes the requests. */
    public RequestHandler door() {
        return door;
    }

    public ShardCore core() {
        return core;
    }

    /** The status of the shard. */
    public StatusReply status() {
        return status.get();
    }

    private LeaseSupply leaseSupply() {
        return leaseSupply;
    }

    private Acknowledgements acknowledgements() {
        return acknowledgements;
    }

    private void wakeDrain() {
        deletionDrain.wake();
    }

    private void wakeOutbox() {
        outboxDrain.wake();
    }

    private void wakeReclaim() {
        treeReclaim.wake();
    }

    private void wakeRecovery() {
        fileRecovery.wake();
    }
}
