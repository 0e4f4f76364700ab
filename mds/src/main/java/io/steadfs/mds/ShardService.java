package io.steadfs.mds;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import io.steadfs.mds.call.CallDispatcher;
import io.steadfs.mds.call.Routes;
import io.steadfs.mds.call.TrustingAuthenticator;
import io.steadfs.mds.deletion.DatafilesQueued;
import io.steadfs.mds.deletion.TreeQueued;
import io.steadfs.mds.duty.DeletionDrain;
import io.steadfs.mds.duty.FileRecovery;
import io.steadfs.mds.duty.IoServers;
import io.steadfs.mds.duty.SessionReaper;
import io.steadfs.mds.duty.TreeReclaim;
import io.steadfs.mds.duty.WakeOnRecord;
import io.steadfs.mds.log.LocalLog;
import io.steadfs.mds.log.MetadataLog;
import io.steadfs.mds.op.AttachDatafiles;
import io.steadfs.mds.op.CloseFile;
import io.steadfs.mds.op.CloseSession;
import io.steadfs.mds.op.CompleteRecovery;
import io.steadfs.mds.op.ConfirmDatafiles;
import io.steadfs.mds.op.ContentSummary;
import io.steadfs.mds.op.CreateFile;
import io.steadfs.mds.op.DeletePath;
import io.steadfs.mds.op.ExpireSession;
import io.steadfs.mds.op.ForgetDatafiles;
import io.steadfs.mds.op.GetClusterMap;
import io.steadfs.mds.op.GetStatus;
import io.steadfs.mds.op.GetXattrs;
import io.steadfs.mds.op.ListDirectory;
import io.steadfs.mds.op.ListTree;
import io.steadfs.mds.op.Mkdirs;
import io.steadfs.mds.op.OpenSession;
import io.steadfs.mds.op.ReclaimTree;
import io.steadfs.mds.op.RemoveXattr;
import io.steadfs.mds.op.RenamePath;
import io.steadfs.mds.op.RenewSession;
import io.steadfs.mds.op.SessionLimit;
import io.steadfs.mds.op.SetAttributes;
import io.steadfs.mds.op.SetXattr;
import io.steadfs.mds.op.StartShard;
import io.steadfs.mds.op.Stat;
import io.steadfs.mds.op.TreePermission;
import io.steadfs.mds.pipeline.ShardCore;
import io.steadfs.mds.pipeline.ShardLimits;
import io.steadfs.mds.session.RecoveryQueued;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.Transport;
import io.steadfs.store.Store;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AttachRequest;
import io.steadfs.wire.proto.CloseRequest;
import io.steadfs.wire.proto.CloseSessionRequest;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.ClusterMapRequest;
import io.steadfs.wire.proto.ConfirmDatafilesRequest;
import io.steadfs.wire.proto.ContentSummaryRequest;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.DeleteRequest;
import io.steadfs.wire.proto.GetXattrsRequest;
import io.steadfs.wire.proto.ListRequest;
import io.steadfs.wire.proto.ListTreeRequest;
import io.steadfs.wire.proto.MkdirsRequest;
import io.steadfs.wire.proto.OpenSessionRequest;
import io.steadfs.wire.proto.RemoveXattrRequest;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.RenewSessionRequest;
import io.steadfs.wire.proto.SetAttributesRequest;
import io.steadfs.wire.proto.SetXattrRequest;
import io.steadfs.wire.proto.StatRequest;
import io.steadfs.wire.proto.StatusRequest;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Supplier;

/**
 * One shard with everything that belongs to it, put together: log, writer's core, the clients' door, duties. What it
 * stands on (store, clock, scheduler, transport, threads) comes from outside, so the same wiring serves in a process and
 * in a simulation. Nobody steps the core but the caller: {@link #core}.
 */
public final class ShardService {
    /** Entries of a cut-off directory that one command clears. */
    private static final int RECLAIM_ENTRIES = 256;

    public static final ConfigKey<Long> SPREAD_DEPTH = ConfigKey.number(
            "stead.mkdir.spread.depth",
            2,
            0,
            1000,
            "",
            "New directories at this depth or less are dealt out over the metadata shards; deeper ones stay with their"
                    + " parent.");

    private final ShardCore core;
    private final CallDispatcher door;
    private final DeletionDrain deletionDrain;
    private final TreeReclaim treeReclaim;
    private final FileRecovery fileRecovery;
    private final SessionReaper sessionReaper;
    private final StartShard firstCommand;

    /**
     * What a shard stands on.
     *
     * @param serverId of the metadata server
     * @param shard number of the shard
     * @param superuser named by configuration or by the format
     * @param scheduler runs the duties; one thread
     * @param longReads refuses by RejectedExecutionException
     * @param counters of the process, for the status
     */
    public record Ground(
            int serverId,
            int shard,
            String superuser,
            Store store,
            Clock clock,
            Scheduler scheduler,
            Transport transport,
            Executor longReads,
            Supplier<ClusterMap> cluster,
            HandleReserve handles,
            Supplier<Map<String, Long>> counters) {}

    public ShardService(Settings settings, Ground ground) {
        long sessionMillis = settings.get(SessionTimes.DURATION);
        int spreadDepth = settings.get(SPREAD_DEPTH).intValue();
        String supergroup = settings.get(TrustingAuthenticator.SUPERGROUP);
        Clock clock = ground.clock();
        Scheduler scheduler = ground.scheduler();

        // The spine.
        MetadataLog log = new LocalLog(ground.store());
        ShardInputs inputs = new ShardInputs(clock, ground.shard(), ground.cluster(), ground.handles());
        core = new ShardCore(
                log,
                inputs,
                ShardLimits.from(settings),
                new WakeOnRecord(Map.of(
                        DatafilesQueued.class, this::wakeDrain,
                        TreeQueued.class, this::wakeReclaim,
                        RecoveryQueued.class, this::wakeRecovery)));
        firstCommand = new StartShard(ground.superuser(), supergroup);

        // The duties.
        IoServers ioServers = new IoServers(ground.transport(), ground.cluster(), settings.get(IoServers.TIMEOUT));
        SessionTimes sessionTimes = new SessionTimes();
        deletionDrain = new DeletionDrain(log::committed, core, ioServers, scheduler, clock, ForgetDatafiles::new);
        treeReclaim = new TreeReclaim(
                log::committed, core, scheduler, directory -> new ReclaimTree(directory, RECLAIM_ENTRIES));
        fileRecovery = new FileRecovery(log::committed, core, ioServers, scheduler, CompleteRecovery::new);
        sessionReaper = new SessionReaper(
                log::committed, core, sessionTimes, sessionMillis, scheduler, clock, ExpireSession::new);

        // The clients' door.
        ShardStatus status =
                new ShardStatus(ground.serverId(), clock, log, core, sessionTimes, ground.cluster(), ground.counters());
        Routes routes = new Routes()
                .read(Kind.CLUSTER_MAP, ClusterMapRequest.class, new GetClusterMap())
                .read(Kind.STATUS, StatusRequest.class, new GetStatus(status))
                .write(
                        Kind.OPEN_SESSION,
                        OpenSessionRequest.class,
                        new OpenSession(sessionMillis),
                        new SessionLimit(sessionTimes, settings.get(SessionTimes.MOST)))
                .read(
                        Kind.RENEW_SESSION,
                        RenewSessionRequest.class,
                        new RenewSession(sessionMillis, sessionTimes, clock))
                .write(Kind.CLOSE_SESSION, CloseSessionRequest.class, new CloseSession())
                .read(Kind.STAT, StatRequest.class, new Stat())
                .read(Kind.LIST, ListRequest.class, new ListDirectory())
                .scan(Kind.LIST_TREE, ListTreeRequest.class, new ListTree())
                .read(Kind.GET_XATTRS, GetXattrsRequest.class, new GetXattrs())
                .scan(Kind.CONTENT_SUMMARY, ContentSummaryRequest.class, new ContentSummary())
                .write(Kind.CREATE, CreateRequest.class, new CreateFile(spreadDepth))
                .write(Kind.MKDIRS, MkdirsRequest.class, new Mkdirs(spreadDepth))
                .write(Kind.DELETE, DeleteRequest.class, new DeletePath(), new TreePermission())
                .write(Kind.RENAME, RenameRequest.class, new RenamePath())
                .write(Kind.SET_ATTRIBUTES, SetAttributesRequest.class, new SetAttributes())
                .write(Kind.SET_XATTR, SetXattrRequest.class, new SetXattr())
                .write(Kind.REMOVE_XATTR, RemoveXattrRequest.class, new RemoveXattr())
                .write(Kind.ATTACH, AttachRequest.class, new AttachDatafiles())
                .write(Kind.CLOSE, CloseRequest.class, new CloseFile())
                .read(Kind.CONFIRM_DATAFILES, ConfirmDatafilesRequest.class, new ConfirmDatafiles());
        door = new CallDispatcher(
                routes,
                new TrustingAuthenticator(ground.superuser(), supergroup),
                core,
                log,
                view -> inputs.forRead(),
                sessionTimes,
                clock,
                ground.longReads(),
                () -> ground.cluster().get().getEpoch());
    }

    /**
     * Queues the shard's first command and begins the duties. Requests may come from now on; they are decided after it.
     *
     * @return completes when the shard is ready, on the writer's thread
     */
    public CompletableFuture<Boolean> start() {
        core.submit(firstCommand);
        sessionReaper.start();
        fileRecovery.start();
        treeReclaim.start();
        deletionDrain.start();
        return firstCommand.outcome();
    }

    /** The duties begin nothing more. The core is closed by whoever steps it. */
    public void stop() {
        sessionReaper.stop();
        fileRecovery.stop();
        treeReclaim.stop();
        deletionDrain.stop();
    }

    /** Where the requests go. */
    public RequestHandler door() {
        return door;
    }

    public ShardCore core() {
        return core;
    }

    private void wakeDrain() {
        deletionDrain.wake();
    }

    private void wakeReclaim() {
        treeReclaim.wake();
    }

    private void wakeRecovery() {
        fileRecovery.wake();
    }
}
