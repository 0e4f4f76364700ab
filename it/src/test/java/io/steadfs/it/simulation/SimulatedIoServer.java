package io.steadfs.it.simulation;

import io.steadfs.disk.Space;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.hello.TestHello;
import io.steadfs.ioserver.IoCore;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.ioserver.duty.ConfirmDatafiles;
import io.steadfs.ioserver.duty.GenerationInquiry;
import io.steadfs.ioserver.duty.ReclaimLeases;
import io.steadfs.ioserver.file.DataFiles;
import io.steadfs.ioserver.file.FaultyDataFiles;
import io.steadfs.ioserver.lane.DatafileHandles;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.Transport;
import io.steadfs.server.Revival;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.memory.MemoryStore;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.StatusReply;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.Optional;
import java.util.Random;

/** An IO server over a store and files that outlive its processes. */
final class SimulatedIoServer implements SimulatedServer {
    private static final long RESERVE = 1 << 20;
    private static final long CAPACITY = 1L << 40;
    private static final int LONGEST_STEP_MICROS = 500;

    /** How long a step takes at worst while the disk is slow. */
    private static final int LONGEST_SLOW_STEP_MICROS = 200_000;

    private final SimulatedMembership.ServerName id;
    private final Surroundings around;
    private MemoryStore store = new MemoryStore(DatafileTables.ALL);
    private FaultyDataFiles files = new FaultyDataFiles();
    private Optional<Life> life = Optional.empty();
    private Optional<String> fault = Optional.empty();
    private long wallOffsetMillis;
    private boolean slow;

    SimulatedIoServer(int number, Surroundings around) {
        this.id = new SimulatedMembership.ServerName(ClusterMap.Role.IO, number);
        this.around = around;
    }

    @Override
    public String name() {
        return "io-" + id.id();
    }

    @Override
    public SimulatedMembership.ServerName id() {
        return id;
    }

    MemoryStore store() {
        return store;
    }

    FaultyDataFiles files() {
        return files;
    }

    boolean hasLeases() {
        try (ReadView.Cursor leases =
                store.committed().scan(DatafileTables.LEASE, new byte[0], new byte[] {(byte) 0x80})) {
            return leases.next();
        }
    }

    @Override
    public Optional<SimulatedProcess> process() {
        return life.map(alive -> alive.process);
    }

    @Override
    public void start() {
        SimulatedProcess process = around.process(name(), wallOffsetMillis);
        try {
            life = Optional.of(new Life(process));
        } catch (IOException e) {
            if (!process.isDead()) {
                throw new UncheckedIOException(name() + " does not start", e);
            }
            // It ended while it started.
            life = Optional.empty();
        }
    }

    @Override
    public void crash(Random random) {
        life.ifPresent(ended -> {
            life = Optional.empty();
            ended.process.kill();
            wallOffsetMillis = ended.process.wallMillis() - around.time().wallMillis();
            around.network().crash(SimulatedMembership.address(id));
            around.membership().left(id, ended.process);
        });
        store = store.crash(random.nextInt(store.unsyncedCommits() + 1));
        files = files.crash(random);
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
        store.failNextCommit(keeps);
    }

    @Override
    public void setSlow(boolean isSlow) {
        slow = isSlow;
    }

    @Override
    public void setFull(boolean isFull) {
        files.setCapacity(isFull ? 0 : CAPACITY);
    }

    private final class Life {
        private final SimulatedProcess process;
        private final DataFiles disk;
        private final Space space;
        private final DatafileHandles handles;
        private final Transport transport;
        private Optional<Service> newest = Optional.empty();
        private boolean planned;

        Life(SimulatedProcess process) throws IOException {
            this.process = process;
            around.membership().open(id);
            disk = new PointedFiles(files, process, around.points());
            space = new Space(disk, around.settings().get(Space.RESERVE), process);
            handles = new DatafileHandles(id.id(), numbers());
            Seams seams = new Seams(process, around.points());
            transport = seams.transport(around.network().client(name(), PeerIdentity.server(TestHello.io(id.id()))));
            Revival revival = new Revival(
                    new Revival.Name(ClusterMap.Role.IO, id.id(), name()),
                    this::begin,
                    space,
                    process,
                    Runnable::run,
                    process);
            around.membership()
                    .join(
                            id,
                            process,
                            () -> around.membership()
                                    .counts(id, process, around.membership().known(id)));
            around.network().start(SimulatedMembership.address(id), seams.door(revival));
        }

        private io.steadfs.server.Life begin() throws IOException {
            store = store.reopen();
            Store pointed = new PointedStore(store, process, around.points());
            IoCore core = new IoCore(
                    id.id(),
                    pointed,
                    disk,
                    space,
                    handles,
                    process,
                    Runnable::run,
                    () -> Optional.of(around.membership().known(id)),
                    new MessageCounters(),
                    around.settings());
            core.askGenerationsOf(new GenerationInquiry(
                    transport, () -> Optional.of(around.membership().known(id)))::of);
            ConfirmDatafiles confirm = new ConfirmDatafiles(
                    pointed,
                    core.lanes(),
                    transport,
                    () -> Optional.of(around.membership().known(id)),
                    process,
                    process,
                    Runnable::run,
                    core.counters(),
                    around.settings().get(ConfirmDatafiles.AFTER),
                    around.settings().get(ConfirmDatafiles.INTERVAL));
            confirm.start();
            ReclaimLeases reclaim = new ReclaimLeases(
                    core.leases(),
                    core.lanes(),
                    transport,
                    () -> Optional.of(around.membership().known(id)),
                    () -> around.membership().confirmShards(id),
                    process,
                    core.counters(),
                    around.settings().get(ReclaimLeases.INTERVAL));
            core.validateBy(reclaim);
            reclaim.start();
            Service service = new Service(core, confirm, reclaim);
            newest = Optional.of(service);
            return service;
        }

        private DatafileHandles.Source numbers() {
            long first = around.membership().reserve(id.id(), RESERVE);
            DatafileHandles.Block block = new DatafileHandles.Block(0, first, first + RESERVE);
            return new DatafileHandles.Source() {
                @Override
                public DatafileHandles.Block current() {
                    return block;
                }

                @Override
                public void used(long next) {}
            };
        }

        void drive() {
            if (!planned
                    && newest.filter(service -> service.core.lanes().queueLength() > 0)
                            .isPresent()) {
                planned = true;
                int longestMicros = slow ? LONGEST_SLOW_STEP_MICROS : LONGEST_STEP_MICROS;
                process.afterNanos(1000L * (1 + around.random().nextInt(longestMicros)), () -> {
                    planned = false;
                    newest.ifPresent(this::step);
                });
            }
        }

        private void step(Service service) {
            service.core.lanes().runQueued();
            if (!process.isDead() && fault.isEmpty()) {
                fault = service.core
                        .failure()
                        .filter(stopped -> !stopped.storeFailed())
                        .map(stopped -> stopped.why());
            }
        }
    }

    /** What runs over the store from its opening to its closing. */
    private record Service(IoCore core, ConfirmDatafiles confirm, ReclaimLeases reclaim)
            implements io.steadfs.server.Life {
        @Override
        public RequestHandler door() {
            return core.requests();
        }

        @Override
        public Optional<End> end() {
            return core.failure().map(stopped -> new End(stopped.why(), stopped.storeFailed()));
        }

        @Override
        public Optional<StatusReply> account() {
            return Optional.of(core.status());
        }

        @Override
        public void report(StatusReply.Builder status) {}

        @Override
        public void close() {
            reclaim.close();
            confirm.close();
            core.close();
        }
    }
}
