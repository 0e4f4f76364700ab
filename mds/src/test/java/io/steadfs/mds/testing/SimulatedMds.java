package io.steadfs.mds.testing;

import io.steadfs.config.Settings;
import io.steadfs.handle.Handle;
import io.steadfs.hello.TestHello;
import io.steadfs.mds.HandleReserve;
import io.steadfs.mds.ShardService;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.simulation.MemoryNetwork;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.store.memory.MemoryStore;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ClusterMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * A metadata shard on simulated time, network and disk, as its server would run it. Its superuser is "root". Checks after
 * every batch that rows which count others are right: one that is wrong may be counted anew later.
 */
public final class SimulatedMds {
    private static final long STEP_NANOS = 200_000;

    private final SimulatedTime time;
    private final MemoryNetwork network;
    private final ServerAddress address;
    private final int shard;
    private final ClusterMap cluster;
    private final Settings settings;
    private MemoryStore store = new MemoryStore(ShardTables.ALL);
    private Optional<Life> process = Optional.empty();
    private int steps;
    private final Set<Integer> crashBeforeSteps = new HashSet<>();
    private final Set<Integer> crashAfterSteps = new HashSet<>();
    private Runnable onStep = () -> {};
    private Optional<Kind> late = Optional.empty();
    private long lateMillis;

    /** Shard 0. */
    public SimulatedMds(
            SimulatedTime time, MemoryNetwork network, ServerAddress address, ClusterMap cluster, Settings settings) {
        this(time, network, address, 0, cluster, settings);
    }

    public SimulatedMds(
            SimulatedTime time,
            MemoryNetwork network,
            ServerAddress address,
            int shard,
            ClusterMap cluster,
            Settings settings) {
        this.shard = shard;
        this.time = time;
        this.network = network;
        this.address = address;
        this.cluster = cluster;
        this.settings = settings;
    }

    public ServerAddress address() {
        return address;
    }

    public MemoryStore store() {
        return store;
    }

    /** Batches that the writer brought to their end, over all starts. */
    public int steps() {
        return steps;
    }

    /** Will lose power right before the batch of this number (from 0) or right after it, before any reply leaves. */
    public void crashAt(int step, boolean after) {
        (after ? crashAfterSteps : crashBeforeSteps).add(step);
    }

    /** What it asks other shards in this way leaves it so much later. */
    public void sendLate(Kind kind, long millis) {
        late = Optional.of(kind);
        lateMillis = millis;
    }

    private CompletableFuture<Reply> send(Transport way, ServerAddress server, Request request, long timeoutMillis) {
        if (late.isEmpty() || late.get() != request.kind()) {
            return way.send(server, request, timeoutMillis);
        }
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        time.after(lateMillis, () -> {
            var unused = way.send(server, request, timeoutMillis).thenAccept(reply::complete);
        });
        return reply;
    }

    /** Runs after every batch, before its replies arrive anywhere. */
    public void onStep(Runnable action) {
        onStep = action;
    }

    public boolean isUp() {
        return process.isPresent();
    }

    public void start() {
        Life started = new Life();
        process = Optional.of(started);
        var unused = started.service.start();
        network.start(address, started.service.door());
        started.tick();
    }

    /** One of the last commands of a stop in order; answers whether another is needed. */
    public boolean settleClaims() {
        CompletableFuture<Boolean> more = process.orElseThrow().service.settleClaims();
        time.runUntil("claims are settled", more::isDone, 5_000);
        return more.join();
    }

    /** What was not synced is lost; it starts again after so long. */
    public void crash(long downMillis) {
        Life ended = process.orElseThrow();
        process = Optional.empty();
        network.crash(address);
        ended.service.stop();
        store = store.crash();
        time.after(downMillis, this::start);
    }

    private final class Life {
        private final ShardService service = new ShardService(
                settings,
                new ShardService.Dependencies(
                        shard + 1,
                        shard,
                        "root",
                        store,
                        time,
                        time,
                        new LateTransport(network.client(address.host(), TestHello.peerIdentity())),
                        user -> Runnable::run,
                        () -> cluster,
                        FixedInputs.confirmed(cluster.getShardCount()),
                        new AllHandles(),
                        Optional::empty,
                        FixedInputs.STARTS,
                        Map::of));

        private void tick() {
            if (process.isEmpty() || process.get() != this) {
                return;
            }
            if (service.core().queueLength() > 0) {
                if (crashBeforeSteps.remove(steps)) {
                    crash(1000);
                    return;
                }
                service.core().step();
                steps++;
                CountsCheck.of(store.committed());
                onStep.run();
                if (crashAfterSteps.remove(steps - 1)) {
                    crash(1000);
                    return;
                }
            }
            time.afterNanos(STEP_NANOS, this::tick);
        }
    }

    private final class LateTransport implements Transport {
        private final Transport way;

        private LateTransport(Transport way) {
            this.way = way;
        }

        @Override
        public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
            return SimulatedMds.this.send(way, server, request, timeoutMillis);
        }

        @Override
        public void close() {
            way.close();
        }
    }

    private static final class AllHandles implements HandleReserve {
        @Override
        public Block block() {
            return new Block(0, 1, Handle.MAX_SEQUENCE);
        }

        @Override
        public void used(long next) {}
    }
}
