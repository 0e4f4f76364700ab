package io.steadfs.it.simulation;

import io.steadfs.handle.Handle;
import io.steadfs.mds.HandleReserve;
import io.steadfs.mds.ShardService;
import io.steadfs.mds.call.ShardDoors;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.Transport;
import io.steadfs.store.memory.MemoryStore;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.StatusReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;

/** A metadata server with one shard or several, over stores that outlive its processes. */
final class SimulatedMetadataServer implements SimulatedServer {
    private static final long RESERVE = 100_000;
    private static final int LONGEST_STEP_MICROS = 500;

    private final SimulatedMembership.ServerName id;
    private final Surroundings around;
    private final SortedMap<Integer, MemoryStore> stores = new TreeMap<>();
    private Optional<Life> life = Optional.empty();
    private Optional<String> fault = Optional.empty();
    private long wallOffsetMillis;
    private boolean full;

    SimulatedMetadataServer(int number, List<Integer> shards, Surroundings around) {
        this.id = new SimulatedMembership.ServerName(ClusterMap.Role.MDS, number);
        this.around = around;
        shards.forEach(shard -> stores.put(shard, new MemoryStore(ShardTables.ALL)));
    }

    @Override
    public String name() {
        return "mds-" + id.id();
    }

    @Override
    public SimulatedMembership.ServerName id() {
        return id;
    }

    /** Committed state by shard. */
    SortedMap<Integer, MemoryStore> stores() {
        return stores;
    }

    @Override
    public Optional<SimulatedProcess> process() {
        return life.map(alive -> alive.process);
    }

    @Override
    public void start() {
        life = Optional.of(new Life(around.process(name(), wallOffsetMillis)));
        life.get().begin();
    }

    @Override
    public void crash(Random random) {
        Life ended = life.orElseThrow();
        life = Optional.empty();
        ended.process.kill();
        wallOffsetMillis = ended.process.wallMillis() - around.time().wallMillis();
        ended.shards.forEach(ShardService::stop);
        stores.replaceAll((shard, store) -> store.crash(random.nextInt(store.unsyncedCommits() + 1)));
        around.network().crash(SimulatedMembership.address(id));
        around.membership().left(id, ended.process);
    }

    @Override
    public void drive() {
        life.ifPresent(Life::drive);
    }

    @Override
    public Optional<String> fault() {
        return fault;
    }

    @Override
    public boolean storeFailed() {
        return life.filter(alive -> alive.shards.stream()
                        .anyMatch(shard -> shard.core().storeFailure().isPresent()))
                .isPresent();
    }

    @Override
    public void failNextCommit() {
        stores.values().iterator().next().failNextCommit();
    }

    @Override
    public void setFull(boolean isFull) {
        full = isFull;
    }

    private final class Life {
        private final SimulatedProcess process;
        private final List<ShardService> shards = new ArrayList<>();
        private final boolean[] planned;

        Life(SimulatedProcess process) {
            this.process = process;
            this.planned = new boolean[stores.size()];
        }

        void begin() {
            Seams seams = new Seams(process, around.points());
            Transport transport = seams.transport(around.network().client(name()));
            SortedMap<Integer, RequestHandler> doors = new TreeMap<>();
            stores.forEach((shard, store) -> {
                ShardService service = new ShardService(
                        around.settings(),
                        new ShardService.Ground(
                                id.id(),
                                shard,
                                "root",
                                new PointedStore(store, process, around.points()),
                                process,
                                process,
                                transport,
                                Runnable::run,
                                () -> around.membership().known(id),
                                new Reserve(Handle.shardOwner(shard), around.membership()),
                                () -> full ? Optional.of(name() + " has no space") : Optional.empty(),
                                Map::of));
                shards.add(service);
                doors.put(shard, service.door());
            });
            around.membership().join(id, process);
            ShardDoors door = new ShardDoors(
                    name(),
                    doors,
                    StatusReply::getDefaultInstance,
                    () -> around.membership().known(id).getEpoch());
            around.network().start(SimulatedMembership.address(id), seams.door(door));
            for (ShardService service : shards) {
                var unused = service.start();
            }
        }

        void drive() {
            for (int i = 0; i < planned.length; i++) {
                ShardService service = shards.get(i);
                if (!planned[i] && service.core().queueLength() > 0) {
                    planned[i] = true;
                    int index = i;
                    process.afterNanos(1000L * (1 + around.random().nextInt(LONGEST_STEP_MICROS)), () -> {
                        planned[index] = false;
                        service.core().step();
                        note(service);
                    });
                }
            }
        }

        private void note(ShardService service) {
            if (process.isDead() || fault.isPresent()) {
                return;
            }
            if (service.core().storeFailure().isEmpty()) {
                fault = service.core().stopped();
            }
            if (service.core().counters().faults() > 0) {
                fault = Optional.of(name() + ": a decision broke");
            }
        }
    }

    /** Numbers for one process of a shard: more than it ever uses. */
    private static final class Reserve implements HandleReserve {
        private final Block block;

        Reserve(int owner, SimulatedMembership membership) {
            long first = membership.reserve(owner, RESERVE);
            block = new Block(0, first, first + RESERVE);
        }

        @Override
        public Block block() {
            return block;
        }

        @Override
        public void used(long next) {}
    }
}
