package io.steadfs.mds.testing;

import io.steadfs.client.AsyncSteadFs;
import io.steadfs.config.Settings;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.outbox.Outbox;
import io.steadfs.mds.session.RecoveringFiles;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.simulation.Faults;
import io.steadfs.simulation.MemoryNetwork;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import java.util.random.RandomGenerator;

/**
 * Several metadata shards, each a server of its own, two IO servers and real clients in one thread, from a seed. Sessions
 * last a minute, a try of a request half a second.
 */
public final class SimulatedShards {
    private static final long LIMIT_MILLIS = 600_000;
    private static final Map<String, String> TIMES = Map.of(
            "stead.session.duration", "60000",
            "stead.mds.peer.timeout", "300",
            "stead.client.attempt.timeout", "500",
            "stead.client.operation.timeout", "300000",
            "stead.client.backoff.most", "200");

    private final SimulatedTime time;
    private final MemoryNetwork network;
    private final ClusterMap cluster;
    private final List<SimulatedMds> shards = new ArrayList<>();
    private final List<FakeIoServer> ioServers = List.of(new FakeIoServer(1), new FakeIoServer(2));
    private final RandomGenerator random;
    private final Settings settings;
    private int clients;

    public SimulatedShards(int count, long seed) {
        this(count, seed, Map.of());
    }

    /** @param more settings of servers and clients */
    public SimulatedShards(int count, long seed, Map<String, String> more) {
        settings = Settings.of(TIMES).with(more);
        time = new SimulatedTime(seed);
        network = new MemoryNetwork(time, seed);
        random = new SplittableRandom(seed);
        cluster = cluster(count);
        network.start(new ServerAddress("io-1", 9001), ioServers.get(0));
        network.start(new ServerAddress("io-2", 9002), ioServers.get(1));
        for (int shard = 0; shard < count; shard++) {
            SimulatedMds mds = new SimulatedMds(time, network, address(shard), shard, cluster, settings);
            shards.add(mds);
            mds.start();
        }
        time.runFor(100);
    }

    public static ServerAddress address(int shard) {
        return new ServerAddress("mds-" + shard, 9100 + shard);
    }

    private static ClusterMap cluster(int count) {
        ClusterMap.Builder map = FixedInputs.CLUSTER.toBuilder().setShardCount(count);
        for (int shard = 0; shard < count; shard++) {
            map.addServers(ClusterMap.Server.newBuilder()
                            .setRole(ClusterMap.Role.MDS)
                            .setId(shard + 1)
                            .setHost(address(shard).host())
                            .setPort(address(shard).port())
                            .setAlive(true))
                    .addShards(ClusterMap.Shard.newBuilder().setNumber(shard).setServer(shard + 1));
        }
        return map.build();
    }

    public SimulatedTime time() {
        return time;
    }

    public MemoryNetwork network() {
        return network;
    }

    public void setFaults(Faults faults) {
        network.setFaults(faults);
    }

    public List<SimulatedMds> shards() {
        return shards;
    }

    public SimulatedMds shard(int number) {
        return shards.get(number);
    }

    public ReadView committed(int shard) {
        return shards.get(shard).store().committed();
    }

    public List<FakeIoServer> ioServers() {
        return ioServers;
    }

    public AsyncSteadFs client(String user) {
        return client(user, transport -> transport);
    }

    /** @param more settings of the client */
    public AsyncSteadFs client(String user, Map<String, String> more) {
        return client(user, transport -> transport, settings.with(more));
    }

    /** @param way of what the client sends, given the network */
    public AsyncSteadFs client(String user, UnaryOperator<Transport> way) {
        return client(user, way, settings);
    }

    private AsyncSteadFs client(String user, UnaryOperator<Transport> way, Settings of) {
        return new AsyncSteadFs(
                way.apply(network.client("client-" + ++clients)),
                time,
                time,
                new SplittableRandom(random.nextLong()),
                of,
                List.of(address(0)),
                Caller.newBuilder().setUser(user).addGroups("users").build());
    }

    /** Lets time pass until the answer is there. */
    public <T> T await(String what, CompletableFuture<T> answer) {
        time.runUntil(what, answer::isDone, LIMIT_MILLIS);
        return answer.join();
    }

    /** Lets time pass until every shard is up and nothing is left to do between them. */
    public void quiet() {
        time.runUntil("the shards have nothing more to do", this::isQuiet, LIMIT_MILLIS);
    }

    private boolean isQuiet() {
        for (SimulatedMds shard : shards) {
            if (!shard.isUp()) {
                return false;
            }
            ReadView view = shard.store().committed();
            if (!Intents.numbers(view, 0, 1).isEmpty()
                    || !PreparedSlots.all(view, 1).isEmpty()
                    || !PreparedSlots.admittedMoves(view).isEmpty()
                    || Outbox.count(view, 1) > 0
                    || !DeletionQueue.servers(view).isEmpty()
                    || !DeletionQueue.trees(view, Handle.NONE, 1).isEmpty()
                    || !RecoveringFiles.after(view, Handle.NONE, 1).isEmpty()) {
                return false;
            }
        }
        return true;
    }

    public int count() {
        return shards.size();
    }

    public List<ReadView> views() {
        return shards.stream().map(shard -> shard.store().committed()).toList();
    }

    /** What all shards together hold, checked. */
    public ShardsCheck state() {
        return ShardsCheck.of(views());
    }
}
