package io.steadfs.mds;

import io.steadfs.config.Settings;
import io.steadfs.mds.call.CallDispatcher;
import io.steadfs.mds.call.Routes;
import io.steadfs.mds.call.ThreadsOfUsers;
import io.steadfs.mds.call.TrustingAuthenticator;
import io.steadfs.mds.duty.Duty;
import io.steadfs.mds.intent.SlotCount;
import io.steadfs.mds.log.LocalLog;
import io.steadfs.mds.log.MetadataLog;
import io.steadfs.mds.op.server.StartShard;
import io.steadfs.mds.pipeline.ShardCore;
import io.steadfs.mds.pipeline.ShardLimits;
import io.steadfs.mds.pipeline.Totals;
import io.steadfs.mds.session.FileCountChange;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.mds.watch.Watches;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.Transport;
import io.steadfs.server.Administrators;
import io.steadfs.store.Store;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.StatusReply;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/**
 * One shard with all its parts put together: log, writer's core, the door for clients, duties. The store, the clock, the
 * scheduler, the transport and the threads come from outside. So the same wiring serves in a process and in a simulation.
 * Only the caller steps the core: {@link #core}.
 *
 * <p>What the door answers is in two tables, {@link ReadRoutes} and {@link ChangeRoutes}. The duties are in {@link ShardDuties}.
 */
public final class ShardService {
    /** Keeps the rows that count other rows. */
    public static final Totals TOTALS = ((Totals) FileCountChange::rows).and(SlotCount::rows);

    private final ShardCore core;
    private final ShardStatus status;
    private final CallDispatcher door;
    private final ShardDuties duties;
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
        String supergroup = settings.get(Administrators.SUPERGROUP);
        Clock clock = dependencies.clock();

        // The core: log, inputs, writer.
        MetadataLog log = new LocalLog(dependencies.store());
        ShardInputs inputs = new ShardInputs(
                clock, dependencies.shard(), dependencies.cluster(), dependencies.handles(), dependencies.full());
        Recounts recounts = new Recounts(dependencies.shard());
        Watches watches = new Watches(clock);
        SessionTimes sessionTimes = new SessionTimes();
        core = new ShardCore(
                log,
                inputs,
                ShardLimits.from(settings),
                TOTALS,
                // First in the chain, so that a failure of another listener cannot keep a name from being noted.
                watches.and(records -> duties().wakes().committed(records))
                        .and(recounts)
                        .and(records -> sessionTimes.committed(
                                records,
                                dependencies.shard(),
                                dependencies.cluster().get().getShardCount(),
                                clock.monotonicNanos()))
                        .and(records -> duties().notes().committed(records)));
        firstCommand = new StartShard(dependencies.superuser(), supergroup);

        ShardParts parts = ShardParts.of(settings, dependencies, log, inputs, core, watches, sessionTimes);
        duties = new ShardDuties(parts);

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
        Routes routes = new Routes();
        ReadRoutes.addTo(routes, parts, status);
        ChangeRoutes.addTo(routes, parts);
        door = new CallDispatcher(
                routes.complete(),
                new TrustingAuthenticator(dependencies.superuser(), supergroup),
                log,
                view -> inputs.forRead(),
                duties.pursuits(),
                sessionTimes,
                clock,
                dependencies.longReads(),
                () -> dependencies.cluster().get().getEpoch());
    }

    /**
     * Queues the shard's first command and starts the duties. Requests may come from now on. They are decided after the first
     * command.
     *
     * @return completes when the shard is ready, on a writer thread
     */
    public CompletableFuture<Boolean> start() {
        core.submit(firstCommand);
        duties.start();
        return firstCommand.outcome();
    }

    /** Keeps the duties from starting anything more. The owner of the core, who steps it, closes it. */
    public void stop() {
        duties.stop();
    }

    /** Takes the requests. */
    public RequestHandler door() {
        return door;
    }

    public ShardCore core() {
        return core;
    }

    /** All background loops of the shard, in the order of their start. */
    List<Duty> allDuties() {
        return duties.all();
    }

    /** The status of the shard. */
    public StatusReply status() {
        return status.get();
    }

    /** For listeners of the core, which is made before the duties. */
    private ShardDuties duties() {
        return duties;
    }
}
