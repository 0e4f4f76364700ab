package io.steadfs.membership;

import io.steadfs.config.ConfigException;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import java.util.List;
import java.util.UUID;
import org.apache.curator.framework.CuratorFramework;

/**
 * The content of the node {@code /format}: properties of a file system that never change after {@code stead format}.
 *
 * @param formatVersion {@value #VERSION}
 * @param fileSystem the identity of the file system, chosen at random by {@code stead format}
 * @param shardCount the number of metadata shards
 * @param metadataServers the number of metadata servers among which the shards are distributed. If a server's
 *     configuration names shards, the server hosts these shards instead
 * @param nameHash the hash function that chooses the partition of a name in its directory
 * @param stripSizeBytes the default strip size of new files
 * @param width the default number of columns of new files
 * @param blockSizeBytes the block size that Hadoop sees
 * @param superuser the user who formatted the file system and who passes every permission check
 * @param createdMillis the time when the file system was formatted, in milliseconds since 1970
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
        long createdMillis) {
    public static final int VERSION = 1;
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
            "Metadata shards of a new file system, for ever; a metadata server may host several.");

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
                VERSION,
                UUID.randomUUID(),
                shards,
                metadataServers,
                NAME_HASH,
                Math.toIntExact(settings.get(STRIP_SIZE)),
                Math.toIntExact(settings.get(WIDTH)),
                settings.get(BLOCK_SIZE),
                superuser,
                nowMillis);
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
        FileSystemFormat format = tree.read(tree.format(), FileSystemFormat.class)
                .orElseThrow(() -> new MembershipException(tree + " holds no file system; run stead format first"))
                .value();
        if (format.formatVersion != VERSION) {
            throw new MembershipException(tree + " holds a file system of format " + format.formatVersion
                    + "; this release knows " + VERSION);
        }
        format.check(tree);
        return format;
    }

    /**
     * Checks all values.
     *
     * @throws MembershipException if a value is impossible for a file system; the message names the value
     */
    void check(ZooKeeperTree tree) throws MembershipException {
        checkWithin(tree, SHARDS, shardCount);
        checkWithin(tree, METADATA_SERVERS, metadataServers);
        checkWithin(tree, STRIP_SIZE, stripSizeBytes);
        checkWithin(tree, WIDTH, width);
        checkWithin(tree, BLOCK_SIZE, blockSizeBytes);
        if (metadataServers > shardCount) {
            throw new MembershipException(tree.format() + " in ZooKeeper deals out " + shardCount + " shards among "
                    + metadataServers + " metadata servers");
        }
        if (!nameHash.equals(NAME_HASH)) {
            throw new MembershipException(
                    tree.format() + " in ZooKeeper names the hash '" + nameHash + "'; this release knows " + NAME_HASH);
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
