package io.steadfs.client;

import io.steadfs.client.call.Waiting;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.read.StripedReader;
import io.steadfs.client.write.StripedWriter;
import io.steadfs.config.Settings;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.simulation.Faults;
import io.steadfs.simulation.MemoryNetwork;
import io.steadfs.simulation.SimulatedTime;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;

/** A shard and IO servers in memory, and a client, all in one thread and from one seed. */
public final class SimulatedCluster {
    public static final ServerAddress SHARD = new ServerAddress("mds", 1);
    /** Strips of 64 KiB, two columns. */
    public static final int STRIP = 64 * 1024;

    public final SimulatedTime time;
    public final MemoryNetwork network;
    public final MemoryShard shard;
    public final List<MemoryIoServer> io = new ArrayList<>();
    public final AsyncSteadFs fs;
    private final long seed;
    private final Settings settings;

    public SimulatedCluster(long seed, int ioServers, Faults faults, int busyPerMille, Map<String, String> settings) {
        this.seed = seed;
        this.settings = Settings.of(settings);
        time = new SimulatedTime(seed);
        network = new MemoryNetwork(time, seed + 1);
        network.setFaults(faults);
        shard = new MemoryShard(map(1, ioServers));
        network.start(SHARD, shard);
        for (int id = 1; id <= ioServers; id++) {
            MemoryIoServer server = new MemoryIoServer(id, new Random(seed + 100 + id), busyPerMille);
            io.add(server);
            network.start(ioAddress(id), server);
        }
        fs = client(transport -> transport);
    }

    /** One that sends over another transport. */
    public final AsyncSteadFs client(UnaryOperator<Transport> over) {
        return new AsyncSteadFs(
                over.apply(network.client("client")),
                time,
                time,
                new Random(seed + 2),
                settings,
                List.of(SHARD),
                Caller.newBuilder().setUser("ann").build());
    }

    public static SimulatedCluster calm(int ioServers) {
        return new SimulatedCluster(1, ioServers, Faults.NONE, 0, Map.of());
    }

    public static ServerAddress ioAddress(int id) {
        return new ServerAddress("io" + id, 100 + id);
    }

    public static ClusterMap map(long epoch, int ioServers) {
        ClusterMap.Builder map = ClusterMap.newBuilder()
                .setEpoch(epoch)
                .setShardCount(1)
                .setStripSize(STRIP)
                .setWidth(2);
        map.addShardsBuilder().setNumber(0).setServer(1);
        map.addServersBuilder()
                .setRole(ClusterMap.Role.MDS)
                .setId(1)
                .setHost(SHARD.host())
                .setPort(SHARD.port())
                .setAlive(true);
        for (int id = 1; id <= ioServers; id++) {
            map.addServersBuilder()
                    .setRole(ClusterMap.Role.IO)
                    .setId(id)
                    .setHost(ioAddress(id).host())
                    .setPort(ioAddress(id).port())
                    .setAlive(true);
        }
        return map.build();
    }

    /** Runs the simulation until the future is done; fails with its refusal. */
    public <T> T await(CompletableFuture<T> future) throws FsException {
        time.runUntil("an operation's end", future::isDone, 600_000);
        return Waiting.on(future, "test");
    }

    public StripedWriter create(String path, int width, int strip) throws FsException {
        return await(fs.writes().create(FsPath.parse(path), CreateOptions.DEFAULT.withLayout(width, strip)));
    }

    public void write(StripedWriter writer, byte[] bytes, int from, int count) throws FsException {
        int done = writer.append(bytes, from, count);
        while (done < count) {
            await(writer.room());
            done += writer.append(bytes, from + done, count - done);
        }
    }

    public void write(StripedWriter writer, byte[] bytes) throws FsException {
        write(writer, bytes, 0, bytes.length);
    }

    /** Makes a closed file of these bytes. */
    public void file(String path, int width, int strip, byte[] bytes) throws FsException {
        StripedWriter writer = create(path, width, strip);
        write(writer, bytes);
        await(writer.close());
    }

    public byte[] read(String path) throws FsException {
        StripedReader reader = await(fs.reads().open(FsPath.parse(path)));
        try {
            return read(reader, 0, (int) reader.length());
        } finally {
            reader.unbuffer();
        }
    }

    public byte[] read(StripedReader reader, long position, int count) throws FsException {
        ByteBuffer target = ByteBuffer.allocate(count);
        int got = await(reader.read(position, target));
        return java.util.Arrays.copyOf(target.array(), Math.max(0, got));
    }

    /** Sent by the client, of this kind. */
    public long sent(Kind kind) {
        return fs.counters().getOrDefault("messages.out." + kind, 0L);
    }

    public long counter(String name) {
        return fs.counters().getOrDefault(name, 0L);
    }

    /** Messages of files: all but those for the map and the session. */
    public long sentForFiles() {
        long sum = 0;
        for (Kind kind : Kind.values()) {
            if (kind != Kind.CLUSTER_MAP && kind.number() >= 20) {
                sum += sent(kind);
            }
        }
        return sum;
    }

    public static byte[] bytes(long seed, int count) {
        byte[] bytes = new byte[count];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }
}
