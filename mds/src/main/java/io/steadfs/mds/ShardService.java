package io.steadfs.mds;

import io.steadfs.cluster.ConfirmedShards;
import io.steadfs.cluster.ShardCounts;
import io.steadfs.config.Settings;
import io.steadfs.mds.call.CallDispatcher;
import io.steadfs.mds.call.Routes;
import io.steadfs.mds.call.SlowReads;
import io.steadfs.mds.call.ThreadsOfUsers;
import io.steadfs.mds.call.TrustingAuthenticator;
import io.steadfs.mds.copy.GivenCopies;
import io.steadfs.mds.copy.HeldCopies;
import io.steadfs.mds.copy.ShardCopies;
import io.steadfs.mds.duty.Duty;
import io.steadfs.mds.duty.HandOvers;
import io.steadfs.mds.duty.NameRates;
import io.steadfs.mds.intent.SlotCount;
import io.steadfs.mds.log.LocalLog;
import io.steadfs.mds.log.MetadataLog;
import io.steadfs.mds.op.server.LearnShards;
import io.steadfs.mds.op.server.StartShard;
import io.steadfs.mds.op.server.StopShard;
import io.steadfs.mds.peer.CopyQuestions;
import io.steadfs.mds.peer.CopyRecalls;
import io.steadfs.mds.peer.PeerShards;
import io.steadfs.mds.pipeline.DirectoryTimes;
import io.steadfs.mds.pipeline.Peers;
import io.steadfs.mds.pipeline.ShardCore;
import io.steadfs.mds.pipeline.ShardLimits;
import io.steadfs.mds.pipeline.StartTokens;
import io.steadfs.mds.pipeline.Totals;
import io.steadfs.mds.session.ClaimCount;
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
 * Puts together one shard with all its parts: log, writer's core, door for clients, duties. The store, the clock, the
 * scheduler, the transport and the threads come from outside. So the same class serves in a process and in a
 * simulation. Only the caller steps the core, which {@link #core} returns.
 *
 * <p>Two tables list the requests that the door answers: {@link ReadRoutes} and {@link ChangeRoutes}. The duties are in
 * {@link ShardDuties}.
 */
public final class ShardService {
    /** Keeps the rows that count other rows up to date. */
    public static final Totals TOTALS =
            ((Totals) FileCountChange::rows).and(ClaimCount::rows).and(SlotCount::rows);

    private final ShardCore core;
    private final ShardStatus status;
    private final CallDispatcher door;
    private final ShardDuties duties;
    private final StartShard firstCommand;
    private final ShardCopies copies;
    private final CopyQuestions questions;
    private final Supplier<ClusterMap> cluster;
    private final FenceLearning fences;

    /**
     * The parts that a shard gets from outside.
     *
     * @param serverId number of the metadata server
     * @param shard number of the shard
     * @param superuser name of the superuser, from the configuration or from the format
     * @param scheduler runs the duties on one thread
     * @param longReads runs long reads; throws RejectedExecutionException if it refuses a long read
     * @param full says why nothing new may be stored, empty if there is space; called once for each batch
     * @param confirmedShards counts the shards for what needs all of them
     * @param starts tokens for the starts of path walks
     * @param counters counters of the outside parts, for the status
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
            ConfirmedShards confirmedShards,
            HandleReserve handles,
            Supplier<Optional<String>> full,
            StartTokens starts,
            Supplier<Map<String, Long>> counters) {}

    public ShardService(Settings settings, Dependencies dependencies) {
        String supergroup = settings.get(Administrators.SUPERGROUP);
        Clock clock = dependencies.clock();
        cluster = dependencies.cluster();

        // The core: log, inputs, writer.
        MetadataLog log = new LocalLog(dependencies.store());
        NameRates nameRates = new NameRates(clock);
        ShardInputs inputs = new ShardInputs(
                clock,
                dependencies.shard(),
                dependencies.cluster(),
                dependencies.handles(),
                dependencies.full(),
                dependencies.starts(),
                settings.get(DirectoryTimes.CONFIGURED),
                nameRates::perSecond);
        Recounts recounts = new Recounts(dependencies.shard());
        Watches watches = new Watches(clock);
        SessionTimes sessionTimes = new SessionTimes();
        HandOvers handOvers = new HandOvers(clock);
        Peers peers =
                new PeerShards(dependencies.transport(), dependencies.cluster(), settings.get(PeerShards.TIMEOUT));
        copies = copies(settings, dependencies, peers);
        questions = new CopyQuestions(dependencies.shard(), copies.held(), peers, dependencies.scheduler());
        core = new ShardCore(
                log,
                inputs,
                ShardLimits.from(settings),
                TOTALS,
                // The watches come first in the chain. So a failure of another listener cannot keep a watch from noting
                // a name.
                watches.and(records -> duties().wakes().committed(records))
                        .and(recounts)
                        .and(nameRates)
                        .and(handOvers)
                        .and(records -> sessionTimes.committed(
                                records,
                                dependencies.shard(),
                                ShardCounts.of(dependencies.cluster().get()),
                                clock.monotonicNanos()))
                        .and(records -> duties().notes().committed(records)),
                copies);
        fences = new FenceLearning(peers, core);
        firstCommand = new StartShard(dependencies.superuser(), supergroup);

        ShardParts parts = ShardParts.of(
                settings,
                dependencies,
                log,
                inputs,
                core,
                watches,
                sessionTimes,
                nameRates,
                handOvers,
                copies,
                questions,
                peers);
        duties = new ShardDuties(parts);

        // The clients' door.
        status = new ShardStatus(
                dependencies.serverId(),
                dependencies.shard(),
                clock,
                log,
                core,
                copies,
                recounts,
                handOvers,
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
                copies,
                duties.pursuits(),
                sessionTimes,
                clock,
                dependencies.longReads(),
                new SlowReads(clock, dependencies.scheduler(), settings),
                () -> dependencies.cluster().get().getEpoch());
    }

    private ShardCopies copies(Settings settings, Dependencies dependencies, Peers peers) {
        long termMillis = settings.get(ShardCopies.TERM);
        HeldCopies held = new HeldCopies(
                dependencies.clock(),
                termMillis,
                (directory, name) -> questions().renew(directory, name));
        GivenCopies given = new GivenCopies(
                dependencies.clock(),
                dependencies.scheduler(),
                termMillis,
                new CopyRecalls(peers, dependencies.cluster()));
        return new ShardCopies(dependencies.clock(), dependencies.shard(), held, given);
    }

    /**
     * Queues the shard's first command and starts the duties. Requests may come from now on, and are decided after the
     * first command.
     *
     * @return completes on a writer thread when the shard is ready; true if this start made the root directory
     */
    public CompletableFuture<Boolean> start() {
        copies.beginLife(ShardCounts.of(cluster.get()).all());
        core.submit(firstCommand);
        duties.start();
        return firstCommand.outcome();
    }

    /**
     * Queues one of the last commands of a shard that stops in order, which makes claims durable. Must be queued again
     * as long as it answers true.
     */
    public CompletableFuture<Boolean> settleClaims() {
        StopShard last = new StopShard();
        core.submit(last);
        return last.outcome();
    }

    /**
     * Learns of more shards, which the newest cluster map has already. The future completes when nothing is under way any
     * more that was decided by an older map.
     */
    public CompletableFuture<Integer> learnShards() {
        int shards = ShardCounts.of(cluster.get()).all();
        LearnShards behindOlder = new LearnShards();
        core.submit(behindOlder);
        return behindOlder.outcome().thenApply(done -> {
            copies.given().admit(shards);
            return shards;
        });
    }

    /** Learns the fences of the other shards, as a shard must that is joining. Completes when they are durable. */
    public CompletableFuture<Boolean> learnFences() {
        return fences.learn();
    }

    /** Stops the duties from starting anything more. The owner of the core steps the core and closes it. */
    public void stop() {
        duties.stop();
        copies.close();
    }

    /** The handler that takes the requests of the shard. */
    public RequestHandler door() {
        return door;
    }

    public ShardCore core() {
        return core;
    }

    /** All duties of the shard, in the order of their start. */
    List<Duty> allDuties() {
        return duties.all();
    }

    /** The status of the shard. */
    public StatusReply status() {
        return status.get();
    }

    /** The questions for copies. The table of copies calls this method, because it is made before the questions. */
    private CopyQuestions questions() {
        return questions;
    }

    /** The duties. Listeners of the core call this method, because the core is made before the duties. */
    private ShardDuties duties() {
        return duties;
    }
}
