package io.steadfs.it.simulation;

import io.steadfs.config.Settings;
import io.steadfs.hello.ClusterSecret;
import io.steadfs.mds.pipeline.StartTokens;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.simulation.Faults;
import io.steadfs.simulation.MemoryNetwork;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.ClusterMap;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.SortedMap;
import java.util.SplittableRandom;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/** The servers and clients of a plan, and the loop that moves them. */
final class SimulatedCluster {
    static final StartTokens STARTS = starts();
    static final Faults HEALTHY = new Faults(0, 0, 50, 400);
    static final String SUPERUSER = "root";
    private static final int LONGEST_DOWN_MILLIS = 6_000;

    private static final Map<String, String> TIMES = Map.ofEntries(
            Map.entry("stead.session.duration", "5000"),
            Map.entry("stead.mds.peer.timeout", "500"),
            Map.entry("stead.mds.io.timeout", "500"),
            Map.entry("stead.client.attempt.timeout", "700"),
            Map.entry("stead.client.backoff.most", "300"),
            Map.entry("stead.io.confirm.after", "800"),
            Map.entry("stead.io.confirm.interval", "300"),
            Map.entry("stead.io.lease.duration", "4000"),
            Map.entry("stead.io.lease.check.interval", "300"),
            Map.entry("stead.client.lease.handles.min", "3"),
            Map.entry("stead.client.lease.handles.max", "12"),
            Map.entry("stead.mds.lease.handles.min", "3"),
            Map.entry("stead.mds.lease.handles.max", "12"),
            Map.entry("stead.io.small.max", "4096"),
            Map.entry("stead.io.lanes", "2"),
            Map.entry("stead.disk.reserve", "1048576"));

    private final SimulatedTime time;
    private final Surroundings around;
    private final Random disks;
    private final List<SimulatedMetadataServer> metadataServers = new ArrayList<>();
    private final List<SimulatedIoServer> ioServers = new ArrayList<>();
    private final List<SimulatedServer> servers = new ArrayList<>();
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final Map<String, SimulatedServer> serversByName = new HashMap<>();
    private final Journal journal = new Journal();
    private boolean growing;

    private static StartTokens starts() {
        ClusterSecret secret = new ClusterSecret(List.of(new byte[ClusterSecret.BYTES]));
        return StartTokens.of(() -> secret);
    }

    SimulatedCluster(Plan plan, CrashPoints.Arming arming) {
        long seed = plan.seed();
        time = new SimulatedTime(seed);
        SplittableRandom random = new SplittableRandom(CrashPoints.mix(seed));
        disks = new Random(seed);
        ClusterMap.Builder format = ClusterMap.newBuilder()
                .setShardCount(plan.shards())
                .setStripSize(1 << 16)
                .setWidth(2)
                .setBlockSize(1 << 20);
        for (int shard = 0; shard < plan.shards(); shard++) {
            format.addShards(
                    ClusterMap.Shard.newBuilder().setNumber(shard).setServer(1 + shard % plan.metadataServers()));
        }
        around = new Surroundings(
                time,
                new MemoryNetwork(time, seed),
                new SimulatedMembership(time, random, format.build()),
                new CrashPoints(arming, new Effects()),
                random,
                Settings.of(TIMES)
                        .with(protocol(plan.protocol()))
                        .with(plan.lookup())
                        .with(plan.splits()),
                plan.spreads());
        for (int number = 1; number <= plan.metadataServers(); number++) {
            List<Integer> hosted = new ArrayList<>();
            for (int shard = number - 1; shard < plan.shards(); shard += plan.metadataServers()) {
                hosted.add(shard);
            }
            metadataServers.add(new SimulatedMetadataServer(number, hosted, around));
        }
        for (int number = 1; number <= plan.ioServers(); number++) {
            ioServers.add(new SimulatedIoServer(number, around));
        }
        servers.addAll(metadataServers);
        servers.addAll(ioServers);
        servers.forEach(server -> serversByName.put(server.name(), server));
        for (int client = 0; client < plan.steps().size(); client++) {
            String user = client % 2 == 0 ? SUPERUSER : "alice";
            clients.add(client(
                    new SimulatedClient.Who("client-" + client, user, plan.patienceMillis()),
                    plan.steps().get(client)));
        }
        around.network().setFaults(HEALTHY);
        servers.forEach(SimulatedServer::start);
    }

    private static Map<String, String> protocol(String name) {
        return name.equals(Plan.EAGER)
                ? Map.of("stead.create.protocol", "unified", "stead.layout.eager", "true")
                : Map.of("stead.create.protocol", name);
    }

    SimulatedClient client(SimulatedClient.Who who, List<Step> steps) {
        List<ServerAddress> known = metadataServers.stream()
                .map(server -> SimulatedMembership.address(server.id()))
                .toList();
        return new SimulatedClient(who, steps, around, known, journal);
    }

    /** No commit waits for a disk from now on: for what is measured. */
    void keepDisksQuick() {
        metadataServers.forEach(SimulatedMetadataServer::keepQuick);
    }

    /** Adds a shard after a while, at one of the metadata servers. */
    void addShardAfter(long millis) {
        int host = 1 + around.random().nextInt(metadataServers.size());
        growing = true;
        time.after(millis, () -> {
            growing = false;
            around.membership().addShard(host);
        });
    }

    /** Whether each shard serves that was to be added. */
    boolean isGrown() {
        return !growing && !around.membership().isAnyJoining();
    }

    Surroundings around() {
        return around;
    }

    Journal journal() {
        return journal;
    }

    List<SimulatedServer> servers() {
        return servers;
    }

    List<SimulatedClient> clients() {
        return clients;
    }

    List<SimulatedIoServer> ioServers() {
        return ioServers;
    }

    /** Committed state of each shard, by its number. */
    List<ReadView> views() {
        SortedMap<Integer, ReadView> views = new TreeMap<>();
        metadataServers.forEach(
                server -> server.stores().forEach((shard, store) -> views.put(shard, store.committed())));
        return List.copyOf(views.values());
    }

    private final class Effects implements CrashPoints.Effects {
        /** What it was comes back after a while. */
        @Override
        public void end(SimulatedProcess process) {
            process.kill();
            Optional.ofNullable(serversByName.get(process.name()))
                    .ifPresentOrElse(
                            SimulatedCluster.this::crash,
                            () -> clients.stream()
                                    .filter(client -> client.name().equals(process.name()))
                                    .forEach(SimulatedCluster.this::crash));
        }

        @Override
        public void cutOff(SimulatedProcess process, long millis) {
            for (SimulatedServer server : servers) {
                cut(process.name(), server.name(), millis);
            }
            for (SimulatedClient client : clients) {
                cut(process.name(), client.name(), millis);
            }
        }
    }

    /** Two processes do not hear of each other for a while. Harmless between two clients. */
    void cut(String one, String other, long millis) {
        if (!one.equals(other)) {
            cutWay(one, other, millis);
            cutWay(other, one, millis);
        }
    }

    private void cutWay(String from, String to, long millis) {
        Optional.ofNullable(serversByName.get(to)).ifPresent(server -> {
            ServerAddress address = SimulatedMembership.address(server.id());
            around.network().cut(from, address);
            time.after(millis, () -> around.network().heal(from, address));
        });
    }

    void crash(SimulatedServer server) {
        server.crash(disks);
        time.after(1 + around.random().nextInt(LONGEST_DOWN_MILLIS), () -> start(server));
    }

    /** Harmless where it runs. */
    void start(SimulatedServer server) {
        if (server.process().isEmpty()) {
            server.start();
        }
    }

    void crash(SimulatedClient client) {
        client.crash();
        time.after(1 + around.random().nextInt(LONGEST_DOWN_MILLIS), () -> {
            if (client.process().isEmpty()) {
                client.start();
            }
        });
    }

    /** What a client or server is called, by its number among servers and then clients. */
    String nameOf(int number) {
        return number < servers.size()
                ? servers.get(number).name()
                : clients.get((number - servers.size()) % clients.size()).name();
    }

    private void look(SimulatedServer server) {
        server.drive();
        server.fault().ifPresent(what -> {
            throw new AssertionError(server.name() + " stopped: " + what);
        });
    }

    /** Lets time pass until the condition holds; false if it does not within so much simulated time. */
    boolean run(BooleanSupplier condition, long limitMillis) {
        long end = time.monotonicNanos() + limitMillis * 1_000_000;
        while (!condition.getAsBoolean()) {
            if (time.monotonicNanos() > end || !time.runNext()) {
                return false;
            }
            for (SimulatedServer server : servers) {
                if (server.process().filter(SimulatedProcess::hasActed).isPresent()) {
                    look(server);
                }
            }
        }
        return true;
    }
}
