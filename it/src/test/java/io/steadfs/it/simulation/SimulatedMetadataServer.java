package io.steadfs.it.simulation;

import io.steadfs.disk.Disk;
import io.steadfs.disk.Space;
import io.steadfs.handle.Handle;
import io.steadfs.hello.TestHello;
import io.steadfs.mds.HandleReserve;
import io.steadfs.mds.ShardService;
import io.steadfs.mds.call.ShardDoors;
import io.steadfs.mds.pipeline.Batch;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.CountsCheck;
import io.steadfs.mds.testing.SimulatedShardLife;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.Transport;
import io.steadfs.server.Revival;
import io.steadfs.store.memory.MemoryStore;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.StatusReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;

/** A metadata server with one shard or several, over stores that outlive its processes. */
final class SimulatedMetadataServer implements SimulatedServer {
    private static final long RESERVE = 100_000;
    private static final long CAPACITY = 1L << 40;
    private static final int LONGEST_STEP_MICROS = 500;
    private static final long LEARN_AGAIN_MILLIS = 300;

    /** One commit of so many waits for its disk. Meanwhile others may ask, and be answered, a lot. */
    private static final int SLOW_COMMITS = 8;

    private static final int LONGEST_SLOW_MICROS = 50_000;

    /** How long a commit takes at worst while the disk is slow. */
    private static final int LONGEST_SLOW_DISK_MICROS = 200_000;

    /** Each so many batches of a shard all counts are compared with a recount; each time would take longer than all else. */
    private static final int COUNTED_BATCHES = 64;

    private final SimulatedMembership.ServerName id;
    private final Surroundings around;
    private final SortedMap<Integer, MemoryStore> stores = new TreeMap<>();
    private Optional<Life> life = Optional.empty();
    private Optional<String> fault = Optional.empty();
    private long wallOffsetMillis;
    private boolean full;
    private boolean slow;
    private boolean quick;

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

    /** No commit waits for the disk from now on, unless the disk is made slow: for what is measured. */
    void keepQuick() {
        quick = true;
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
        ended.shards.forEach(Shard::close);
        stores.replaceAll((shard, store) -> store.crash(random.nextInt(store.unsyncedCommits() + 1)));
        if (ended.listens) {
            around.network().crash(SimulatedMembership.address(id));
            around.membership().left(id, ended.process);
        }
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
    public void failNextCommit(boolean keeps) {
        stores.values().iterator().next().failNextCommit(keeps);
    }

    @Override
    public void setSlow(boolean isSlow) {
        slow = isSlow;
    }

    @Override
    public void setFull(boolean isFull) {
        full = isFull;
    }

    private final class Life {
        private final SimulatedProcess process;
        private final List<Shard> shards = new ArrayList<>();
        private final SortedMap<Integer, RequestHandler> doors = new TreeMap<>();
        private final Transport transport;
        private final Seams seams;
        private final Space space;
        /** Whether others know the process and can reach it. */
        private boolean listens;

        Life(SimulatedProcess process) {
            this.process = process;
            this.seams = new Seams(process, around.points());
            this.transport = seams.transport(around.network().client(name(), TestHello.peerIdentity()));
            try {
                this.space = new Space(new Room(), around.settings().get(Space.RESERVE), process);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        void begin() {
            around.membership().open(id);
            for (int number : stores.keySet()) {
                if (!open(number)) {
                    return;
                }
            }
            listens = true;
            around.membership().join(id, process, this::learn);
            ShardDoors door = new ShardDoors(
                    name(),
                    doors,
                    StatusReply::getDefaultInstance,
                    () -> around.membership().known(id));
            around.network().start(SimulatedMembership.address(id), seams.door(door));
        }

        /** Opens a shard. Returns false if the process ended meanwhile. */
        private boolean open(int number) {
            if (around.membership().isJoining(number)) {
                around.membership().unready(number);
            }
            Shard shard = new Shard(number, process, space, transport);
            shards.add(shard);
            doors.put(number, shard.revival);
            if (process.isDead()) {
                // It ended while it started.
                shard.close();
            }
            return !process.isDead();
        }

        /** Learns of more shards: opens those that were added for this server, and counts them with all others. */
        private void learn() {
            ClusterMap map = around.membership().known(id);
            for (ClusterMap.Shard added : map.getShardsList()) {
                if (added.getServer() == id.id() && !doors.containsKey(added.getNumber())) {
                    stores.putIfAbsent(added.getNumber(), new MemoryStore(ShardTables.ALL));
                    if (!open(added.getNumber())) {
                        return;
                    }
                }
            }
            shards.stream()
                    .filter(shard -> around.membership().isJoining(shard.number))
                    .forEach(Shard::learnFences);
            var unused = CompletableFuture.allOf(
                            shards.stream().map(Shard::learnShards).toArray(CompletableFuture<?>[]::new))
                    .whenComplete((done, failure) -> {
                        if (failure == null) {
                            around.membership().counts(id, process, map);
                        } else {
                            process.after(LEARN_AGAIN_MILLIS, this::learn);
                        }
                    });
        }

        void drive() {
            shards.forEach(Shard::drive);
        }
    }

    /** The disk of the machine. */
    private final class Room implements Disk {
        @Override
        public long capacityBytes() {
            return CAPACITY;
        }

        @Override
        public long freeBytes() {
            return full ? 0 : CAPACITY;
        }

        @Override
        public String place() {
            return name();
        }
    }

    /** A shard of a process: it is put together anew where its store fails. */
    private final class Shard {
        private final int number;
        private final SimulatedProcess process;
        private final Transport transport;
        private final Space space;
        private final HandleReserve handles;
        private final Revival revival;
        private Optional<ShardService> newest = Optional.empty();
        private boolean deciding;
        private boolean committing;
        /** Being decided, over the one that is being committed if there is one. */
        private Optional<Batch> open = Optional.empty();

        private Optional<Batch> underWay = Optional.empty();
        private int batches;
        private boolean learns;

        Shard(int number, SimulatedProcess process, Space space, Transport transport) {
            this.number = number;
            this.process = process;
            this.transport = transport;
            this.space = space;
            this.handles = new Reserve(Handle.shardOwner(number), around.membership());
            try {
                this.revival = new Revival(
                        new Revival.Name(ClusterMap.Role.MDS, id.id(), "shard " + number),
                        this::begin,
                        space,
                        process,
                        Runnable::run,
                        process);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        CompletableFuture<Integer> learnShards() {
            return newest.map(ShardService::learnShards)
                    .orElseGet(() -> CompletableFuture.failedFuture(new IOException("no life")));
        }

        /** Learns fences, once at a time, until the shard is known to be ready. */
        void learnFences() {
            if (learns) {
                return;
            }
            learns = true;
            var unused = newest.map(ShardService::learnFences)
                    .orElseGet(() -> CompletableFuture.failedFuture(new IOException("no life")))
                    .whenComplete((done, failure) -> {
                        boolean isReady = failure == null && around.membership().ready(id, process, number);
                        if (!isReady) {
                            process.after(LEARN_AGAIN_MILLIS, () -> {
                                learns = false;
                                learnFences();
                            });
                        }
                    });
        }

        /** What a writer does that is closed: batches under way come to their end. */
        private void finish() {
            newest.ifPresent(service -> {
                underWay.ifPresent(service.core()::commit);
                open.ifPresent(service.core()::commit);
            });
            underWay = Optional.empty();
            open = Optional.empty();
            deciding = false;
            committing = false;
        }

        private io.steadfs.server.Life begin() {
            finish();
            MemoryStore store = Objects.requireNonNull(stores.get(number)).reopen();
            stores.put(number, store);
            ShardService service = new ShardService(
                    around.settings(),
                    new ShardService.Dependencies(
                            id.id(),
                            number,
                            SimulatedCluster.SUPERUSER,
                            new PointedStore(store, process, around.points()),
                            process,
                            process,
                            transport,
                            user -> Runnable::run,
                            () -> around.membership().known(id),
                            () -> around.membership().confirmShards(id),
                            handles,
                            () -> space.problem(name()),
                            SimulatedCluster.STARTS,
                            Map::of));
            newest = Optional.of(service);
            var unused = service.start();
            return new SimulatedShardLife(service);
        }

        /** Plans what the two threads of a shard's writer do next: one decides, one commits what was decided before. */
        void drive() {
            newest.ifPresent(service -> {
                if (!deciding && service.core().queueLength() > 0) {
                    deciding = true;
                    soon(service, LONGEST_STEP_MICROS, () -> {
                        deciding = false;
                        if (open.isEmpty()) {
                            open = underWay.isPresent()
                                    ? Optional.of(service.core().begin(underWay.get()))
                                    : service.core().begin();
                        }
                        open.ifPresent(service.core()::gather);
                        note(service);
                    });
                }
                if (!committing && (underWay.isPresent() || open.isPresent())) {
                    committing = true;
                    if (underWay.isEmpty()) {
                        underWay = open;
                        open = Optional.empty();
                    }
                    soon(service, longestCommitMicros(), () -> {
                        committing = false;
                        underWay.ifPresent(service.core()::commit);
                        underWay = Optional.empty();
                        note(service);
                    });
                }
            });
        }

        private int longestCommitMicros() {
            if (slow) {
                return LONGEST_SLOW_DISK_MICROS;
            }
            return !quick && around.random().nextInt(SLOW_COMMITS) == 0 ? LONGEST_SLOW_MICROS : LONGEST_STEP_MICROS;
        }

        /** Unless the shard was put together anew meanwhile. */
        private void soon(ShardService service, int longestMicros, Runnable step) {
            process.afterNanos(1000L * (1 + around.random().nextInt(longestMicros)), () -> {
                if (newest.filter(present -> present == service).isPresent()) {
                    step.run();
                }
            });
        }

        private void note(ShardService service) {
            if (process.isDead() || fault.isPresent()) {
                return;
            }
            if (service.core().storeFailure().isEmpty()) {
                fault = service.core().stopped();
                if (fault.isEmpty() && ++batches % COUNTED_BATCHES == 0) {
                    fault = wrongCount();
                }
            }
            if (service.core().counters().faults() > 0) {
                fault = Optional.of(name() + ": a decision broke");
            }
        }

        /** Looked at while sessions live, for the rows go with them. */
        private Optional<String> wrongCount() {
            try {
                CountsCheck.of(Objects.requireNonNull(stores.get(number)).committed());
                return Optional.empty();
            } catch (AssertionError e) {
                return Optional.of(name() + ": " + e.getMessage());
            }
        }

        void close() {
            newest = Optional.empty();
            revival.close();
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
