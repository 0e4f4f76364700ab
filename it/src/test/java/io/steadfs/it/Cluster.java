package io.steadfs.it;

import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.config.Settings;
import io.steadfs.ioserver.IoServer;
import io.steadfs.ioserver.lane.DatafileHandles;
import io.steadfs.mds.HandleReserve;
import io.steadfs.mds.MdsServer;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A whole cluster in this process, in one directory. */
public final class Cluster implements AutoCloseable {
    public static final String SUPERUSER = "operator";

    private final Path directory;
    private final int ioServers;
    private final Settings settings;
    private final Map<Integer, ServerAddress> ios = new LinkedHashMap<>();
    private final List<AutoCloseable> running = new ArrayList<>();
    private ServerAddress mdsAddress = new ServerAddress("127.0.0.1", 1);
    private int mdsPort;
    private long starts;
    private volatile ClusterMap map = ClusterMap.getDefaultInstance();

    private Cluster(Path directory, int ioServers, Settings settings) {
        this.directory = directory;
        this.ioServers = ioServers;
        this.settings = settings;
    }

    public static Cluster start(Path directory, int ioServers, Map<String, String> settings) throws IOException {
        Cluster cluster = new Cluster(directory, ioServers, Settings.of(settings));
        cluster.start();
        return cluster;
    }

    public void start() throws IOException {
        starts++;
        EventLoops loops = EventLoops.open("cluster", settings);
        long first = 1 + starts * 100_000_000;
        for (int id = 1; id <= ioServers; id++) {
            int serverId = id;
            Path d = Files.createDirectories(directory.resolve("io-" + id));
            IoServer io = new IoServer(
                    id,
                    d,
                    "127.0.0.1",
                    0,
                    "127.0.0.1",
                    new io.steadfs.ioserver.Neighbours() {
                        @Override
                        public DatafileHandles.Source numbers() {
                            return new DatafileHandles.Source() {
                                @Override
                                public DatafileHandles.Block current() {
                                    return new DatafileHandles.Block(0, first, first + 90_000_000);
                                }

                                @Override
                                public void used(long next) {}
                            };
                        }

                        @Override
                        public Optional<ClusterMap> map() {
                            return Optional.of(map);
                        }

                        @Override
                        public void announce(ServerAddress address, long capacityBytes, long usableBytes) {
                            ios.put(serverId, address);
                        }

                        @Override
                        public void reportSpace(long capacityBytes, long usableBytes) {}

                        @Override
                        public void close() {}
                    },
                    loops,
                    settings);
            running.add(0, io);
        }
        publish();
        MdsServer mds = new MdsServer(
                1,
                Files.createDirectories(directory.resolve("mds-1")),
                "127.0.0.1",
                mdsPort,
                "127.0.0.1",
                new io.steadfs.mds.Neighbours() {
                    @Override
                    public ClusterMap map() {
                        return map;
                    }

                    @Override
                    public String superuser() {
                        return SUPERUSER;
                    }

                    @Override
                    public HandleReserve host(int shard) {
                        return new HandleReserve() {
                            @Override
                            public Block block() {
                                return new Block(0, first, first + 90_000_000);
                            }

                            @Override
                            public void used(long next) {}
                        };
                    }

                    @Override
                    public void announce(ServerAddress address) {
                        mdsAddress = address;
                    }

                    @Override
                    public void close() {}
                },
                loops,
                settings);
        running.add(0, mds);
        running.add(loops);
        mdsPort = mdsAddress.port();
        publish();
    }

    private void publish() {
        ClusterMap.Builder b = ClusterMap.newBuilder()
                .setEpoch(map.getEpoch() + 1)
                .setFileSystem("test")
                .setShardCount(1)
                .addShards(ClusterMap.Shard.newBuilder().setNumber(0).setServer(1))
                .setStripSize(1 << 20)
                .setWidth(Math.min(4, ioServers))
                .setBlockSize(128 << 20)
                .addServers(server(ClusterMap.Role.MDS, 1, mdsAddress));
        ios.forEach((id, a) -> b.addServers(server(ClusterMap.Role.IO, id, a)));
        map = b.build();
    }

    private static ClusterMap.Server server(ClusterMap.Role role, int id, ServerAddress a) {
        return ClusterMap.Server.newBuilder()
                .setRole(role)
                .setId(id)
                .setHost(a.host())
                .setPort(a.port())
                .setAlive(true)
                .setCapacityBytes(1L << 40)
                .setFreeBytes(1L << 39)
                .build();
    }

    public void stop() throws IOException {
        for (AutoCloseable each : running) {
            try {
                each.close();
            } catch (Exception e) {
                throw new IOException(e);
            }
        }
        running.clear();
    }

    /** Servers by a name for people, and where they listen. */
    public Map<String, ServerAddress> ports() {
        Map<String, ServerAddress> ports = new LinkedHashMap<>();
        ports.put("metadata server", mdsAddress);
        ios.forEach((id, a) -> ports.put("IO server " + id, a));
        return ports;
    }

    public SteadFs connect(String user, List<String> groups) {
        return SteadClient.connect(
                settings,
                List.of(mdsAddress),
                Caller.newBuilder().setUser(user).addAllGroups(groups).build());
    }

    @Override
    public void close() throws IOException {
        stop();
    }
}
