package io.steadfs.membership;

import io.steadfs.outage.StartStep;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.ClusterMap;
import java.time.Duration;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.apache.curator.framework.recipes.cache.ChildData;
import org.apache.curator.framework.recipes.cache.CuratorCache;
import org.apache.curator.framework.recipes.cache.CuratorCacheListener;
import org.apache.curator.framework.recipes.cache.CuratorCacheStorage;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps a copy of the file system's nodes in memory, updated by ZooKeeper's watches. While ZooKeeper does not answer,
 * the copy does not change. The addresses of living servers come only from {@code /epoch}, so that one epoch always
 * means one membership. Nodes with impossible content, and nodes that no SteadFS server wrote, are skipped and
 * reported.
 */
final class WatchedTree implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(WatchedTree.class);
    private final ZooKeeperTree tree;
    private final CuratorCache cache;
    private final CountDownLatch complete = new CountDownLatch(1);
    private final AtomicLong changes = new AtomicLong();
    /** The newest format that could be read. Shards are only added, so a format with fewer shards is an older one. */
    private FileSystemFormat newestFormat;

    /** @param changed runs after each change, on a thread of ZooKeeper's client; must return at once */
    WatchedTree(ZooKeeperTree tree, FileSystemFormat format, Runnable changed) {
        this(tree, format, CuratorCacheStorage.standard(), changed);
    }

    /** @param storage stores the copy */
    WatchedTree(ZooKeeperTree tree, FileSystemFormat format, CuratorCacheStorage storage, Runnable changed) {
        this.tree = tree;
        this.newestFormat = format;
        this.cache = CuratorCache.builder(tree.client(), tree.root())
                .withStorage(storage)
                .build();
        cache.listenable()
                .addListener(CuratorCacheListener.builder()
                        .forAll((type, before, after) -> changed(after == null ? before : after, changed))
                        .forInitialized(() -> {
                            complete.countDown();
                            changed.run();
                        })
                        .build());
    }

    /**
     * Counts a change and reports it. Marks of stores are ignored, because they change each second and are not in the
     * cluster map. Figures are reported but not counted, because they show no progress of the membership.
     */
    private void changed(ChildData node, Runnable changed) {
        boolean isComplete = complete.getCount() == 0;
        if (isComplete && node.getPath().startsWith(tree.allMarks() + "/")) {
            return;
        }
        if (!isComplete || !node.getPath().startsWith(tree.allFigures() + "/")) {
            changes.incrementAndGet();
        }
        changed.run();
    }

    /**
     * Starts to watch, and waits until all nodes were read once.
     *
     * @param patience the longest time to wait for each next node
     */
    void start(Duration patience) throws MembershipException {
        cache.start();
        try {
            boolean isRead = StartStep.of("waits for the nodes of " + tree, LOG::info)
                    .await(patience.toMillis(), millis -> complete.await(millis, TimeUnit.MILLISECONDS), changes::get);
            if (!isRead) {
                throw new MembershipException(tree + " could not be read: after " + changes.get()
                        + " nodes no other came within " + patience.toMillis() + " ms");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new MembershipException("interrupted while reading " + tree, e);
        }
    }

    /**
     * The number of counted changes so far. During the first reading, each node counts as a change. After the first
     * reading, only changes that show progress of the membership count.
     */
    long changes() {
        return changes.get();
    }

    /** The newest format that this server knows. If the node cannot be read, an earlier format stays. */
    synchronized FileSystemFormat format() {
        Optional<FileSystemFormat> found = cache.get(tree.format()).flatMap(this::decodeFormat);
        if (found.isPresent() && isNewer(found.get())) {
            newestFormat = found.get();
        }
        return newestFormat;
    }

    private boolean isNewer(FileSystemFormat format) {
        return format.shardVersion() > newestFormat.shardVersion()
                || (format.shardVersion() == newestFormat.shardVersion()
                        && format.formatVersion() > newestFormat.formatVersion());
    }

    private Optional<FileSystemFormat> decodeFormat(ChildData data) {
        try {
            FileSystemFormat format =
                    Json.decode(data.getData(), FileSystemFormat.class, tree.format() + " in ZooKeeper");
            format.check(tree);
            return Optional.of(format);
        } catch (MembershipException e) {
            LOG.debug("the format that was read before stays: {}", e.getMessage());
            return Optional.empty();
        }
    }

    private EpochNode epoch(Strangers strangers) {
        Optional<ChildData> data = cache.get(tree.epoch());
        if (data.isEmpty()) {
            return EpochNode.FIRST;
        }
        try {
            return Json.decode(data.get().getData(), EpochNode.class, tree.epoch() + " in ZooKeeper");
        } catch (UnreadableNodeException e) {
            strangers.add(tree.epoch(), e);
            return EpochNode.FIRST;
        }
    }

    /** Parses the name of a node below a parent. */
    private interface Name<K> {
        K parse(String parent, String name) throws MembershipException;
    }

    /** The content of a node; empty if the content cannot be read. */
    private record Held<T>(Optional<T> value) {}

    /**
     * The nodes below the parent whose names can be parsed. Nodes with other names, and nodes whose content cannot be
     * read, are added to the strangers.
     */
    private <K extends Comparable<K>, T extends Record> SortedMap<K, Held<T>> below(
            String parent, Class<T> type, Name<K> name, Strangers strangers) {
        SortedMap<K, Held<T>> found = new TreeMap<>();
        String prefix = parent + "/";
        for (ChildData data : cache.stream()
                .filter(child -> child.getPath().startsWith(prefix))
                .toList()) {
            String path = data.getPath();
            try {
                K key = name.parse(parent, path.substring(prefix.length()));
                found.put(key, new Held<>(Optional.empty()));
                found.put(key, new Held<>(Optional.of(Json.decode(data.getData(), type, path + " in ZooKeeper"))));
            } catch (MembershipException e) {
                strangers.add(path, e);
            }
        }
        return found;
    }

    private SortedMap<ServerId, Held<AliveNode>> alive(Strangers strangers) {
        return below(tree.allAlive(), AliveNode.class, NodeNames::serverBelow, strangers);
    }

    /** The host of each shard. If a shard's node cannot be read, its host comes from {@code /epoch}. */
    private SortedMap<Integer, Integer> hosts(EpochNode epoch, Strangers strangers) {
        SortedMap<Integer, Integer> hosts = new TreeMap<>();
        below(tree.shards(), ShardNode.class, NodeNames::shardBelow, strangers)
                .forEach((shard, held) -> held.value()
                        .map(ShardNode::server)
                        .or(() -> epoch.hostOf(shard.toString()))
                        .ifPresent(host -> hosts.put(shard, host)));
        return hosts;
    }

    boolean showsAlive(ServerId server) {
        return cache.get(tree.alive(server)).isPresent();
    }

    /** The numbers of the shards that the metadata server hosts. */
    SortedSet<Integer> shardsOf(int server) {
        Strangers strangers = new Strangers();
        SortedSet<Integer> hosted = new TreeSet<>();
        hosts(epoch(strangers), strangers).forEach((shard, host) -> {
            if (host == server) {
                hosted.add(shard);
            }
        });
        return hosted;
    }

    /** The place of each shard whose node can be read. */
    SortedMap<Integer, ShardPlace> places() {
        SortedMap<Integer, ShardPlace> places = new TreeMap<>();
        String prefix = tree.shards() + "/";
        for (ChildData data : cache.stream()
                .filter(child -> child.getPath().startsWith(prefix))
                .toList()) {
            String path = data.getPath();
            try {
                int shard = NodeNames.shardBelow(tree.shards(), path.substring(prefix.length()));
                ShardNode node = Json.decode(data.getData(), ShardNode.class, path + " in ZooKeeper");
                places.put(shard, ShardPlace.of(node, data.getStat().getVersion()));
            } catch (MembershipException e) {
                LOG.debug("the place of a shard is not known: {}", e.getMessage());
            }
        }
        return places;
    }

    /** Whether the membership in this copy differs from the last counted membership. */
    boolean seemsUncounted() {
        Strangers strangers = new Strangers();
        EpochNode epoch = epoch(strangers);
        if (strangers.byPath().containsKey(tree.epoch())) {
            return true;
        }
        SortedMap<String, String> alive = new TreeMap<>();
        alive(strangers)
                .forEach(
                        (server, held) -> held.value().ifPresent(node -> alive.put(server.toString(), node.address())));
        SortedMap<String, Integer> shards = new TreeMap<>();
        hosts(epoch, strangers).forEach((shard, host) -> shards.put(shard.toString(), host));
        return !epoch.countsSameAs(
                new EpochNode(0, alive, shards, Math.max(epoch.shardVersion(), format().shardVersion())));
    }

    /**
     * Builds the cluster map from the nodes that can be read.
     *
     * @param strangers receives the nodes that cannot be read
     */
    ClusterMap map(Strangers strangers) {
        FileSystemFormat format = format();
        EpochNode epoch = epoch(strangers);
        SortedMap<ServerId, Held<AliveNode>> alive = alive(strangers);
        SortedMap<ServerId, Held<FiguresNode>> figures =
                below(tree.allFigures(), FiguresNode.class, NodeNames::serverBelow, strangers);
        hosts(epoch, strangers);
        ClusterMap.Builder map = ClusterMap.newBuilder()
                .setEpoch(epoch.epoch())
                .setFileSystem(format.fileSystem().toString())
                .setShardCount(format.shardCount())
                .setStripSize(format.stripSizeBytes())
                .setWidth(format.width())
                .setBlockSize(format.blockSizeBytes());
        if (!format.additions().isEmpty()) {
            map.setAllShards(format.shards().all())
                    .setServingShards(format.shards().serving());
        }
        epoch.shards()
                .forEach((shard, server) -> map.addShards(ClusterMap.Shard.newBuilder()
                        .setNumber(NodeNames.shard(shard))
                        .setServer(server)));
        below(tree.servers(), ServerNode.class, NodeNames::serverBelow, strangers)
                .forEach((id, held) -> {
                    Optional<String> address = Optional.ofNullable(epoch.alive().get(id.toString()));
                    // A living server stays in the map even if its node cannot be read.
                    if (address.isPresent() || held.value().isPresent()) {
                        map.addServers(server(
                                id,
                                address.or(() -> held.value().map(ServerNode::firstAddress))
                                        .orElse(""),
                                address.isPresent(),
                                Optional.ofNullable(alive.get(id)).flatMap(Held::value),
                                Optional.ofNullable(figures.get(id)).flatMap(Held::value)));
                    }
                });
        return map.build();
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
        // The space in the node {@code /alive} of a living server overrides older values of the server in
        // {@code /figures}.
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
