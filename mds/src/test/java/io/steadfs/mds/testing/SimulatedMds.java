package io.steadfs.mds.testing;

import io.steadfs.config.Settings;
import io.steadfs.handle.Handle;
import io.steadfs.mds.HandleReserve;
import io.steadfs.mds.ShardService;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.simulation.MemoryNetwork;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.store.memory.MemoryStore;
import io.steadfs.wire.proto.ClusterMap;
import java.util.Map;
import java.util.Optional;

/** A metadata server with one shard on simulated time, network and disk. Its superuser is "root". */
public final class SimulatedMds {
    private static final long STEP_NANOS = 200_000;

    private final SimulatedTime time;
    private final MemoryNetwork network;
    private final ServerAddress address;
    private final ClusterMap cluster;
    private final Settings settings;
    private MemoryStore store = new MemoryStore(ShardTables.ALL);
    private Optional<Life> process = Optional.empty();
    private int steps;
    private int crashBeforeStep = Integer.MAX_VALUE;
    private int crashAfterStep = Integer.MAX_VALUE;

    public SimulatedMds(
            SimulatedTime time, MemoryNetwork network, ServerAddress address, ClusterMap cluster, Settings settings) {
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

    /** Loses power right before the batch of this number (from 0) or right after it, before any reply leaves. */
    public void crashAt(int step, boolean after) {
        crashBeforeStep = after ? Integer.MAX_VALUE : step;
        crashAfterStep = after ? step : Integer.MAX_VALUE;
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
                new ShardService.Ground(
                        1,
                        0,
                        "root",
                        store,
                        time,
                        time,
                        network.client("mds-1"),
                        Runnable::run,
                        () -> cluster,
                        new AllHandles(),
                        Map::of));

        private void tick() {
            if (process.isEmpty() || process.get() != this) {
                return;
            }
            if (service.core().queueLength() > 0) {
                if (steps == crashBeforeStep) {
                    crashBeforeStep = Integer.MAX_VALUE;
                    crash(1000);
                    return;
                }
                service.core().step();
                steps++;
                if (steps - 1 == crashAfterStep) {
                    crashAfterStep = Integer.MAX_VALUE;
                    crash(1000);
                    return;
                }
            }
            time.afterNanos(STEP_NANOS, this::tick);
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
