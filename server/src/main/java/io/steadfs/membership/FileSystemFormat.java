package io.steadfs.membership;

import io.steadfs.cluster.ShardCounts;
import io.steadfs.config.ConfigException;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.UUID;
import java.util.stream.IntStream;
import org.apache.curator.framework.CuratorFramework;

/**
 * The content of the node {@code /format}: properties of a file system. Only shards are added after {@code stead format};
 * all else never changes.
 *
 * @param formatVersion {@value #FIRST_VERSION}, {@value #ADDED_VERSION} from the first addition of shards on, or {@value
 *     #VERSION} from the first move of a shard on
 * @param fileSystem the identity of the file system, chosen at random by {@code stead format}
 * @param shardCount the number of metadata shards that {@code stead format} made
 * @param metadataServers the number of metadata servers among which the shards are distributed. If a server's
 *     configuration names shards, the server hosts these shards instead
 * @param nameHash the hash function that chooses the partition of a name in its directory
 * @param stripSizeBytes the default strip size of new files
 * @param width the default number of columns of new files
 * @param blockSizeBytes the block size that Hadoop sees
 * @param superuser the user who formatted the file system and who passes every permission check
 * @param createdMillis the time when the file system was formatted, in milliseconds since 1970
 * @param additions the shards that were added later, in the order of their numbers
 */
public record FileSystemFormat(
        int formatVersion,
        UUID fileSystem,
        int shardCount,
        int metadataServers,
        String nameHash,
        int stripSizeBytes,
        int width,
        long blockSizeBytes,
        String superuser,
        long createdMillis,
        @AddedLater("[]") List<Addition> additions) {
    /** The version of a file system to which no shard was added. */
    public static final int FIRST_VERSION = 1;

    /** The version from the first addition of shards on. A release that does not know it cannot count the added shards. */
    public static final int ADDED_VERSION = 2;

    /**
     * The version from the first move of a shard on, and the newest one that this release knows. A release that does not
     * know it would open a store that was given to another server.
     */
    public static final int VERSION = 3;

    public static final String NAME_HASH = "xxh64";

    private static final long CHUNK_BYTES = 64 << 10;

    /** Largest number of shards of a file system. */
    public static final int MAX_SHARDS = 256;

    public static final ConfigKey<Long> SHARDS = ConfigKey.number(
            "stead.format.shards",
            1,
            1,
            MAX_SHARDS,
            "shards",
            "Metadata shards of a new file system; a metadata server may host several. More may be added later.");

    public static final ConfigKey<Long> METADATA_SERVERS = ConfigKey.number(
            "stead.format.mds",
            1,
            1,
            MAX_SHARDS,
            "servers",
            "Metadata servers among which the shards of a new file system are dealt out, at most as many as shards: of n,"
                    + " server k hosts the shards whose number modulo n is k - 1. See stead.mds.shards.");

    public static final ConfigKey<Long> STRIP_SIZE = wholeChunks(ConfigKey.number(
            "stead.format.strip.size",
            1L << 20,
            CHUNK_BYTES,
            1L << 30,
            "bytes",
            "Default strip size of a new file system: so much of a file lies in one column before the next one."));

    public static final ConfigKey<Long> WIDTH = ConfigKey.number(
            "stead.format.width",
            4,
            1,
            255,
            "columns",
            "Default number of columns of a file in a new file system; fewer where there are fewer IO servers.");

    public static final ConfigKey<Long> BLOCK_SIZE = ConfigKey.number(
            "stead.format.block.size",
            128L << 20,
            1L << 20,
            1L << 40,
            "bytes",
            "Block size that a new file system tells Hadoop, which splits its work by it.");

    public static final ConfigKeys KEYS =
            new ConfigKeys(List.of(SHARDS, METADATA_SERVERS, STRIP_SIZE, WIDTH, BLOCK_SIZE));

    /**
     * Shards that were added together. Their numbers follow those of the shards before.
     *
     * @param hosts the number of the metadata server that hosts each of the shards
     * @param serving false = the shards are joining: every server counts them, and nothing new comes to them yet
     */
    public record Addition(List<Integer> hosts, boolean serving) {
        /** @throws IllegalArgumentException if no server can have a number; the message names the number */
        public Addition {
            hosts = List.copyOf(hosts);
            hosts.forEach(ServerId::mds);
            if (hosts.isEmpty()) {
                throw new IllegalArgumentException("an addition of no shards");
            }
        }

        Addition inService() {
            return new Addition(hosts, true);
        }
    }

    public FileSystemFormat {
        additions = List.copyOf(additions);
    }

    /** How many shards there are. */
    public ShardCounts shards() {
        int serving = shardCount;
        int all = shardCount;
        for (Addition addition : additions) {
            all += addition.hosts().size();
            serving += addition.serving() ? addition.hosts().size() : 0;
        }
        return new ShardCounts(shardCount, serving, all);
    }

    /** The number of this state of the shards, from 1 on. Each addition raises it twice: when it begins, and when it serves. */
    public int shardVersion() {
        return 1
                + additions.size()
                + (int) additions.stream().filter(Addition::serving).count();
    }

    /** The numbers of the shards that are joining. */
    public SortedSet<Integer> joining() {
        return new TreeSet<>(
                IntStream.range(shards().serving(), shards().all()).boxed().toList());
    }

    /** The numbers of the shards that were added for the metadata server, joining or serving. */
    public SortedSet<Integer> addedFor(int server) {
        SortedMap<Integer, Integer> added = addedHosts();
        added.values().removeIf(host -> host != server);
        return new TreeSet<>(added.keySet());
    }

    /** The number of the metadata server for each shard that was added, by the number of the shard. */
    public SortedMap<Integer, Integer> addedHosts() {
        SortedMap<Integer, Integer> hosts = new TreeMap<>();
        for (Addition addition : additions) {
            addition.hosts().forEach(host -> hosts.put(shardCount + hosts.size(), host));
        }
        return hosts;
    }

    /** The same file system with more shards, which are joining. */
    FileSystemFormat with(Addition addition) {
        List<Addition> more = new ArrayList<>(additions);
        more.add(addition);
        return with(more, Math.max(formatVersion, ADDED_VERSION));
    }

    /** The same file system, in which shards may move. */
    FileSystemFormat withMoves() {
        return with(additions, VERSION);
    }

    /** Whether a shard may have moved, or may move now. */
    boolean mayHaveMoves() {
        return formatVersion >= VERSION;
    }

    /** The same file system, in which all shards serve. */
    FileSystemFormat inService() {
        return with(additions.stream().map(Addition::inService).toList(), formatVersion);
    }

    private FileSystemFormat with(List<Addition> changed, int version) {
        return new FileSystemFormat(
                version,
                fileSystem,
                shardCount,
                metadataServers,
                nameHash,
                stripSizeBytes,
                width,
                blockSizeBytes,
                superuser,
                createdMillis,
                changed);
    }

    private static ConfigKey<Long> wholeChunks(ConfigKey<Long> key) {
        return new ConfigKey<>(key.name(), key.defaultText(), key.unit(), key.meaning(), text -> {
            long bytes = key.parse().apply(text);
            if (bytes % CHUNK_BYTES != 0) {
                throw new IllegalArgumentException("is not a multiple of 64k");
            }
            return bytes;
        });
    }

    /**
     * The format of a new file system, with values from the settings.
     *
     * @throws ConfigException if there are more metadata servers than shards
     */
    public static FileSystemFormat fresh(Settings settings, String superuser, long nowMillis) {
        int shards = Math.toIntExact(settings.get(SHARDS));
        int metadataServers = Math.toIntExact(settings.get(METADATA_SERVERS));
        if (metadataServers > shards) {
            throw new ConfigException(METADATA_SERVERS.name() + " = " + metadataServers + " is above " + SHARDS.name()
                    + " = " + shards + ": a metadata server would host nothing");
        }
        return new FileSystemFormat(
                FIRST_VERSION,
                UUID.randomUUID(),
                shards,
                metadataServers,
                NAME_HASH,
                Math.toIntExact(settings.get(STRIP_SIZE)),
                Math.toIntExact(settings.get(WIDTH)),
                settings.get(BLOCK_SIZE),
                superuser,
                nowMillis,
                List.of());
    }

    /**
     * Whether there is a file system under the configured root in ZooKeeper. Any release may have made the file system.
     */
    public static boolean isIn(ZooKeeperTree tree) throws MembershipException {
        return tree.read(tree.format(), FileSystemFormat.class).isPresent();
    }

    /**
     * Reads the format of an existing file system.
     *
     * @throws MembershipException if there is no file system, another release made it, or its values are impossible
     */
    public static FileSystemFormat read(ZooKeeperTree tree) throws MembershipException {
        return readVersioned(tree).value();
    }

    /** As {@link #read}, with the version of the node. */
    static Versioned<FileSystemFormat> readVersioned(ZooKeeperTree tree) throws MembershipException {
        Versioned<FileSystemFormat> format = tree.read(tree.format(), FileSystemFormat.class)
                .orElseThrow(() -> new MembershipException(tree + " holds no file system; run stead format first"));
        format.value().check(tree);
        return format;
    }

    /**
     * Reads the format, and proves that it was the newest at a moment after the call began. A plain read may come from a
     * server of ZooKeeper that lags behind. Here the leader of ZooKeeper compares the version of the node.
     */
    static FileSystemFormat confirm(ZooKeeperTree tree) throws MembershipException {
        while (true) {
            Versioned<FileSystemFormat> format = readVersioned(tree);
            if (tree.isAt(tree.format(), format.version())) {
                return format.value();
            }
        }
    }

    /**
     * Checks all values.
     *
     * @throws MembershipException if a value is impossible for a file system; the message names the value
     */
    void check(ZooKeeperTree tree) throws MembershipException {
        if (formatVersion < FIRST_VERSION || formatVersion > VERSION) {
            throw new MembershipException(tree + " holds a file system of format " + formatVersion
                    + "; this release knows " + FIRST_VERSION + " to " + VERSION);
        }
        checkWithin(tree, SHARDS, shardCount);
        checkWithin(tree, METADATA_SERVERS, metadataServers);
        checkWithin(tree, STRIP_SIZE, stripSizeBytes);
        checkWithin(tree, WIDTH, width);
        checkWithin(tree, BLOCK_SIZE, blockSizeBytes);
        checkAdditions(tree);
        if (metadataServers > shardCount) {
            throw new MembershipException(tree.format() + " in ZooKeeper deals out " + shardCount + " shards among "
                    + metadataServers + " metadata servers");
        }
        if (!nameHash.equals(NAME_HASH)) {
            throw new MembershipException(
                    tree.format() + " in ZooKeeper names the hash '" + nameHash + "'; this release knows " + NAME_HASH);
        }
    }

    /** Only the last addition may be joining. */
    private void checkAdditions(ZooKeeperTree tree) throws MembershipException {
        boolean areInOrder =
                additions.stream().limit(Math.max(0, additions.size() - 1)).allMatch(Addition::serving);
        if (!areInOrder || shards().all() > MAX_SHARDS || (formatVersion == FIRST_VERSION && !additions.isEmpty())) {
            throw new MembershipException(tree.format() + " in ZooKeeper: impossible additions of shards " + additions
                    + " to " + shardCount + " shards in format " + formatVersion);
        }
    }

    private static void checkWithin(ZooKeeperTree tree, ConfigKey<Long> key, long value) throws MembershipException {
        try {
            var unused = key.parse().apply(Long.toString(value));
        } catch (IllegalArgumentException e) {
            throw new MembershipException(
                    tree.format() + " in ZooKeeper: " + key.name() + " = " + value + " " + e.getMessage(), e);
        }
    }

    /**
     * Writes the format and the empty parent nodes of the file system, in one transaction.
     *
     * @param force whether to replace an existing file system. Servers of the new file system refuse data directories
     *     of the old file system, because the identity of the file system differs
     * @throws MembershipException if there is a file system already, or if some of its servers still run; the message
     *     names the file system or the servers
     */
    public void write(ZooKeeperTree tree, boolean force) throws MembershipException {
        List<String> running = tree.children(tree.allAlive());
        if (!running.isEmpty()) {
            throw new MembershipException(tree + " holds a file system whose servers run: "
                    + String.join(", ", running.stream().sorted().toList()));
        }
        if (!force && tree.read(tree.format(), FileSystemFormat.class).isPresent()) {
            throw new MembershipException(tree + " already holds file system " + read(tree).fileSystem
                    + "; with force it and all its files are given up");
        }
        CuratorFramework client = tree.client();
        tree.call(tree.root(), () -> {
            if (client.checkExists().forPath(tree.root()) != null) {
                client.delete().deletingChildrenIfNeeded().forPath(tree.root());
            }
            int slash = tree.root().lastIndexOf('/');
            if (slash > 0) {
                client.createContainers(tree.root().substring(0, slash));
            }
            byte[] nothing = new byte[0];
            return client.transaction()
                    .forOperations(
                            client.transactionOp().create().forPath(tree.root(), nothing),
                            client.transactionOp().create().forPath(tree.servers(), nothing),
                            client.transactionOp().create().forPath(tree.allAlive(), nothing),
                            client.transactionOp().create().forPath(tree.shards(), nothing),
                            client.transactionOp().create().forPath(tree.sequences(), nothing),
                            client.transactionOp().create().forPath(tree.epoch(), Json.encode(EpochNode.FIRST)),
                            client.transactionOp().create().forPath(tree.format(), Json.encode(this)));
        });
    }
}
