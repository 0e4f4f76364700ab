package io.steadfs.membership;

import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.ClusterMap;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.framework.recipes.cache.CuratorCacheStorage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A copy of the nodes in memory, kept current by watches. While ZooKeeper does not answer it stays as it was. Whoever is
 * alive, and where, is taken from {@code /epoch} alone, so that one epoch never stands for two memberships.
 */
final class WatchedTree implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedTree.class);

    private final ZooKeeperTree tree;
    private final FileSystemFormat format;
    private final CuratorCache cache;
    private final CountDownLatch complete = new CountDownLatch(1);

    /** @param changed called on a thread of ZooKeeper's client after any change; it returns at once */
    WatchedTree(ZooKeeperTree tree, FileSystemFormat format, Runnable changed) {
        this(tree, format, CuratorCacheStorage.standard(), changed);
    }

    /** @param storage of the copy */
    WatchedTree(ZooKeeperTree tree, FileSystemFormat format, CuratorCacheStorage storage, Runnable changed) {
        this.tree = tree;
        this.format = format;
        this.cache = CuratorCache.builder(tree.client(), tree.root())
                .withStorage(storage)
                .build();
        cache.listenable()
                .addListener(CuratorCacheListener.builder()
                        .forAll((type, before, after) -> changed.run())
                        .forInitialized(() -> {
                            complete.countDown();
                            changed.run();
                        })
                        .build());
    }

    /** Returns when all nodes were read once. */
    void start(Duration patience) throws MembershipException {
        cache.start();
        try {
            if (!complete.await(patience.toMillis(), TimeUnit.MILLISECONDS)) {
                throw new MembershipException(tree + " could not be read within " + patience.toMillis() + " ms");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MembershipException("interrupted while reading " + tree, e);
        }
    }

    private <T extends Record> Optional<T> node(String path, Class<T> type) throws MembershipException {
        Optional<ChildData> data = cache.get(path);
        return data.isEmpty()
                ? Optional.empty()
                : Optional.of(Json.decode(data.get().getData(), type, path + " in ZooKeeper"));
    }

    /** Nodes below, by name. */
    private <T extends Record> SortedMap<String, T> below(String parent, Class<T> type) throws MembershipException {
        SortedMap<String, T> found = new TreeMap<>();
        String prefix = parent + "/";
        for (ChildData data : cache.stream()
                .filter(child -> child.getPath().startsWith(prefix))
                .toList()) {
            found.put(
                    data.getPath().substring(prefix.length()),
                    Json.decode(data.getData(), type, data.getPath() + " in ZooKeeper"));
        }
        return found;
    }

    private EpochNode epoch() throws MembershipException {
        return node(tree.epoch(), EpochNode.class).orElse(EpochNode.FIRST);
    }

    boolean showsAlive(ServerId server) {
        return cache.get(tree.alive(server)).isPresent();
    }

    /**
     * Numbers of the shards that the metadata server hosts.
     *
     * @throws MembershipException naming the node that is not one of ours, or holds what cannot be
     */
    SortedSet<Integer> shardsOf(int server) throws MembershipException {
        SortedSet<Integer> hosted = new TreeSet<>();
        for (Map.Entry<String, ShardNode> shard :
                below(tree.shards(), ShardNode.class).entrySet()) {
            int number = NodeNames.shardBelow(tree.shards(), shard.getKey());
            if (shard.getValue().server() == server) {
                hosted.add(number);
            }
        }
        return hosted;
    }

    /** Whether the membership seems to differ from the one counted last. */
    boolean seemsUncounted() throws MembershipException {
        SortedMap<String, String> alive = new TreeMap<>();
        for (Map.Entry<String, AliveNode> server :
                below(tree.allAlive(), AliveNode.class).entrySet()) {
            NodeNames.serverBelow(tree.allAlive(), server.getKey());
            alive.put(server.getKey(), server.getValue().address());
        }
        SortedMap<String, Integer> shards = new TreeMap<>();
        for (Map.Entry<String, ShardNode> shard :
                below(tree.shards(), ShardNode.class).entrySet()) {
            NodeNames.shardBelow(tree.shards(), shard.getKey());
            shards.put(shard.getKey(), shard.getValue().server());
        }
        return !epoch().countsSameAs(new EpochNode(0, alive, shards));
    }

    /** @throws MembershipException naming the node that is not one of ours, or holds what cannot be */
    ClusterMap map() throws MembershipException {
        EpochNode epoch = epoch();
        SortedMap<String, AliveNode> alive = below(tree.allAlive(), AliveNode.class);
        ClusterMap.Builder map = ClusterMap.newBuilder()
                .setEpoch(epoch.epoch())
                .setFileSystem(format.fileSystem().toString())
                .setShardCount(format.shardCount())
                .setStripSize(format.stripSizeBytes())
                .setWidth(format.width())
                .setBlockSize(format.blockSizeBytes());
        epoch.shards()
                .forEach((shard, server) -> map.addShards(ClusterMap.Shard.newBuilder()
                        .setNumber(NodeNames.shard(shard))
                        .setServer(server)));
        SortedMap<ServerId, ServerNode> servers = new TreeMap<>();
        for (Map.Entry<String, ServerNode> server :
                below(tree.servers(), ServerNode.class).entrySet()) {
            servers.put(NodeNames.serverBelow(tree.servers(), server.getKey()), server.getValue());
        }
        for (Map.Entry<ServerId, ServerNode> entry : servers.entrySet()) {
            String name = entry.getKey().toString();
            Optional<String> address = Optional.ofNullable(epoch.alive().get(name));
            map.addServers(server(
                    entry.getKey(),
                    address.orElse(entry.getValue().firstAddress()),
                    address.isPresent(),
                    Optional.ofNullable(alive.get(name)),
                    figures(entry.getKey())));
        }
        return map.build();
    }

    /** Nonsense in such a node is no figures: nothing but numbers for people depends on them. */
    private Optional<FiguresNode> figures(ServerId server) {
        try {
            return node(tree.figures(server), FiguresNode.class);
        } catch (MembershipException e) {
            LOG.debug("figures of {} are skipped", server, e);
            return Optional.empty();
        }
    }

    private static ClusterMap.Server server(
            ServerId id, String address, boolean alive, Optional<AliveNode> node, Optional<FiguresNode> figures) {
        ClusterMap.Server.Builder server = ClusterMap.Server.newBuilder()
                .setRole(id.role())
                .setId(id.number())
                .setAlive(alive);
        if (!address.isEmpty()) {
            ServerAddress parsed = ServerAddress.parse(address);
            server.setHost(parsed.host()).setPort(parsed.port());
        }
        figures.ifPresent(last -> server.setCapacityBytes(last.capacityBytes())
                .setFreeBytes(last.freeBytes())
                .setUsedBytes(last.usedBytes())
                .setDisk(last.disk())
                .setFiguresMillis(last.atMillis()));
        // What a server says while it lives goes above what it left behind.
        node.ifPresent(present -> server.setRack(present.rack())
                .setCapacityBytes(present.capacityBytes())
                .setFreeBytes(present.freeBytes()));
        return server.build();
    }

    @Override
    public void close() {
        cache.close();
    }
}
