package io.steadfs.it.simulation;

import io.steadfs.config.Settings;
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
    static final Faults HEALTHY = new Faults(0, 0, 50, 400);
    private static final int LONGEST_DOWN_MILLIS = 6_000;

    private static final Map<String, String> TIMES = Map.ofEntries(
            Map.entry("stead.session.duration", "5000"),
            Map.entry("stead.mds.peer.timeout", "500"),
            Map.entry("stead.mds.io.timeout", "500"),
            Map.entry("stead.client.attempt.timeout", "700"),
            Map.entry("stead.client.operation.timeout", "20000"),
            Map.entry("stead.client.backoff.most", "300"),
            Map.entry("stead.io.confirm.after", "800"),
            Map.entry("stead.io.confirm.interval", "300"),
            Map.entry("stead.io.small.max", "4096"),
            Map.entry("stead.io.lanes", "2"),
            Map.entry("stead.disk.reserve", "0"));

    private final SimulatedTime time;
    private final Surroundings around;
    private final Random disks;
    private final List<SimulatedMetadataServer> metadataServers = new ArrayList<>();
    private final List<SimulatedIoServer> ioServers = new ArrayList<>();
    private final List<SimulatedServer> servers = new ArrayList<>();
    private final List<SimulatedClient> clients = new ArrayList<>();
    private final Map<String, SimulatedServer> serversByName = new HashMap<>();
    private final Journal journal = new Journal();

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
                new CrashPoints(arming, this::end),
                random,
                Settings.of(TIMES).with(Map.of("stead.create.protocol", plan.protocol())));
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
            clients.add(client("client-" + client, plan.steps().get(client)));
        }
        around.network().setFaults(HEALTHY);
        servers.forEach(SimulatedServer::start);
    }

    SimulatedClient client(String name, List<Step> steps) {
        List<ServerAddress> known = metadataServers.stream()
                .map(server -> SimulatedMembership.address(server.id()))
                .toList();
        return new SimulatedClient(name, steps, around, known, journal);
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

    /** Ends a process at once; what it was comes back after a while. */
    private void end(SimulatedProcess process) {
        process.kill();
        Optional.ofNullable(serversByName.get(process.name()))
                .ifPresentOrElse(
                        this::crash,
                        () -> clients.stream()
                                .filter(client -> client.name().equals(process.name()))
                                .forEach(this::crash));
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

    /** Lets time pass until the condition holds; false if it does not within so much simulated time. */
    boolean run(BooleanSupplier condition, long limitMillis) {
        long end = time.monotonicNanos() + limitMillis * 1_000_000;
        while (!condition.getAsBoolean()) {
            if (time.monotonicNanos() > end || !time.runNext()) {
                return false;
            }
            for (SimulatedServer server : servers) {
                server.drive();
                if (server.storeFailed() && server.process().isPresent()) {
                    crash(server);
                }
                server.fault().ifPresent(what -> {
                    throw new AssertionError(server.name() + " stopped: " + what);
                });
            }
        }
        return true;
    }
}
