package io.steadfs.it.shards;

import io.steadfs.config.Settings;
import io.steadfs.hello.Introduction;
import io.steadfs.hello.PeerName;
import io.steadfs.mds.move.RemoteStore;
import io.steadfs.mds.move.StoreDoor;
import io.steadfs.membership.FileSystemFormat;
import io.steadfs.membership.ServerId;
import io.steadfs.membership.ShardMoves;
import io.steadfs.membership.ShardPlace;
import io.steadfs.membership.ZooKeeperTree;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.rpc.netty.NettyOptions;
import io.steadfs.rpc.netty.NettyTransport;
import io.steadfs.secret.SecretFile;
import io.steadfs.time.SystemClock;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.ListStoreFilesReply;
import java.nio.file.Path;
import java.util.Map;

/** Asks for stores in the name of a metadata server that stands still, so that a move stops between two steps. */
final class StandIn implements AutoCloseable {
    private final ZooKeeperTree tree;
    private final Settings settings;
    private final EventLoops loops;
    private final String fileSystem;

    StandIn(String zooKeeper, Path cluster) throws Exception {
        settings = Settings.of(Map.of(
                "stead.zookeeper.servers",
                zooKeeper,
                "stead.cluster.secret.file",
                cluster.resolve("cluster.secret").toString()));
        tree = ZooKeeperTree.connect(settings);
        loops = EventLoops.open("stand-in", settings);
        fileSystem = FileSystemFormat.read(tree).fileSystem().toString();
    }

    /** Begins a move, or finds the one that has begun. */
    ShardPlace begin(int shard, int target) throws Exception {
        return new ShardMoves(tree).begin(shard, ServerId.mds(target));
    }

    /**
     * Lists the files of a shard.
     *
     * @param address of the host
     * @param last whether the host closes the shard for good
     */
    ListStoreFilesReply list(int shard, ShardPlace place, ServerAddress address, boolean last) throws Exception {
        Introduction introduction = Introduction.server(
                new PeerName(fileSystem, ClusterMap.Role.MDS, place.movesTo()),
                SecretFile.open(settings.get(SecretFile.FILE)));
        ClusterMap map = ClusterMap.newBuilder()
                .setFileSystem(fileSystem)
                .addServers(ClusterMap.Server.newBuilder()
                        .setRole(ClusterMap.Role.MDS)
                        .setId(place.host())
                        .setHost(address.host())
                        .setPort(address.port()))
                .build();
        try (NettyTransport transport = new NettyTransport(
                loops, NettyOptions.from(settings), new MessageCounters(), new SystemClock(), introduction)) {
            StoreDoor.Move move = new StoreDoor.Move(shard, place.movesTo(), place.move());
            return new RemoteStore(transport, () -> map, place.host(), move, 1 << 20).list(last);
        }
    }

    @Override
    public void close() {
        tree.close();
        loops.close();
    }
}
