package io.steadfs.partition;

import io.steadfs.handle.Handle;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Says which partition of a directory holds which names, as far as the owner of this map knows. Immutable. The method
 * is that of Giga+. SkyeFS keeps bitmaps instead of maps.
 *
 * <p>A new directory has only partition 0, which holds all names at depth 0. All names of a partition at depth d have
 * hashes that begin with the same d bits. A split of partition p gives the upper half of its hashes to partition
 * {@code p + 2^d}. After the split, both partitions are at depth d+1. So the number of a partition, with its bits in
 * reverse order, is the start of the partition's lowest hash. Every partition holds one range of hashes. Every hash is
 * in the range of exactly one partition.
 *
 * <p>A map may be old, and it may lack entries. Each split of partition p on its way to depth d made another partition.
 * Those partitions exist even if the map has no entries for them. A lookup starts at partition 0 and reads only the
 * entries on its way. If a client asks the wrong shard, the shard's answer contains at least one split that the client
 * did not know.
 *
 * <p>Every entry has a version. A merge of two maps takes the newer entry of each partition. So a merge of two
 * partitions would survive a merge of maps too.
 */
public final class PartitionMap {
    /** Version of the entry of partition 0 in the map of a new directory. */
    public static final long FIRST_VERSION = 1;

    /** Largest depth of a partition. A partition's depth is the number of splits that led to its range of hashes. */
    public static final int MAX_DEPTH = 30;

    private final Handle directory;
    private final int shards;
    private final int[] partitions;
    private final int[] depths;
    private final long[] versions;

    private PartitionMap(Handle directory, int shards, SortedMap<Integer, Entry> entries) {
        this.directory = directory;
        this.shards = shards;
        this.partitions = new int[entries.size()];
        this.depths = new int[entries.size()];
        this.versions = new long[entries.size()];
        int i = 0;
        for (Entry entry : entries.values()) {
            partitions[i] = entry.partition;
            depths[i] = entry.depth;
            versions[i] = entry.version;
            i++;
        }
    }

    /** Entry of one partition: its depth, and the version of the entry. */
    private record Entry(int partition, int depth, long version) {
        Entry {
            if (depth < 0 || depth > MAX_DEPTH || partition < 0 || partition >= 1 << depth || version < FIRST_VERSION) {
                throw new IllegalArgumentException("partition " + Integer.toUnsignedString(partition) + " at depth "
                        + Integer.toUnsignedString(depth) + " version " + version);
            }
        }
    }

    /**
     * Map of a new directory, which has one partition. A client that knows nothing of a directory yet begins with this
     * map too.
     */
    public static PartitionMap initial(Handle directory, int shards) {
        return builder(directory, shards).put(0, 0, FIRST_VERSION).build();
    }

    /** @param shards number of shards of the file system when the directory was made */
    public static Builder builder(Handle directory, int shards) {
        return new Builder(directory, shards);
    }

    /** Collects the entries of a map. If a partition gets two entries, the newer entry stays. */
    public static final class Builder {
        private final Handle directory;
        private final int shards;
        private final TreeMap<Integer, Entry> entries = new TreeMap<>();

        private Builder(Handle directory, int shards) {
            if (shards < 1) {
                throw new IllegalArgumentException("directory " + directory + " made with " + shards + " shards");
            }
            directory.shard(); // throws if the handle is not of a directory
            this.directory = directory;
            this.shards = shards;
        }

        /**
         * @throws IllegalArgumentException if no partition can have this number at this depth, or the version is below
         *     {@link #FIRST_VERSION}
         */
        public Builder put(int partition, int depth, long version) {
            entries.merge(
                    partition,
                    new Entry(partition, depth, version),
                    (old, added) -> added.version > old.version ? added : old);
            return this;
        }

        private Builder putAll(PartitionMap map) {
            for (int i = 0; i < map.partitions.length; i++) {
                put(map.partitions[i], map.depths[i], map.versions[i]);
            }
            return this;
        }

        public PartitionMap build() {
            return new PartitionMap(directory, shards, entries);
        }
    }

    public Handle directory() {
        return directory;
    }

    /** Number of shards of the file system when the directory was made. */
    public int shards() {
        return shards;
    }

    /** Numbers of the partitions that have an entry in this map, in ascending order. */
    public int[] partitions() {
        return partitions.clone();
    }

    /** Number of the partition that holds the names with this hash, as far as this map knows. */
    public int ownerOf(long hash) {
        long backwards = Long.reverse(hash);
        int partition = 0;
        int depth = depthOf(0).orElse(0);
        while (true) {
            long differing = (backwards ^ partition) & (1L << depth) - 1;
            if (differing == 0) {
                return partition;
            }
            int split = Long.numberOfTrailingZeros(differing);
            partition |= 1 << split;
            depth = depthOf(partition).orElse(split + 1);
        }
    }

    /** Number of the shard that holds the partition. */
    public int shardOf(int partition) {
        return (int) ((directory.shard() + (long) partition) % shards);
    }

    /** Depth of the partition. Empty if the map has no entry of the partition. */
    public OptionalInt depthOf(int partition) {
        int i = Arrays.binarySearch(partitions, partition);
        return i < 0 ? OptionalInt.empty() : OptionalInt.of(depths[i]);
    }

    /** Version of the partition's entry. 0 if the map has no entry of the partition. */
    public long versionOf(int partition) {
        int i = Arrays.binarySearch(partitions, partition);
        return i < 0 ? 0 : versions[i];
    }

    /** Lowest hash of the partition, as an unsigned number. This hash is the same at every depth. */
    public static long firstHash(int partition) {
        return Long.reverse(partition);
    }

    /** Highest hash of the partition at the given depth, as an unsigned number. */
    public static long lastHash(int partition, int depth) {
        return Long.reverse(partition) | -1L >>> depth;
    }

    /**
     * Copy of this map after a split of the partition. The split gives the upper half of the partition's hashes to a
     * new partition.
     *
     * @throws IllegalArgumentException if the map has no entry of the partition, or the partition is at
     *     {@link #MAX_DEPTH}
     */
    public PartitionMap split(int partition) {
        int depth = depthOf(partition)
                .orElseThrow(() -> new IllegalArgumentException(
                        "partition " + partition + " of directory " + directory + " is unknown"));
        long version = versionOf(partition) + 1;
        if (depth == MAX_DEPTH) {
            throw new IllegalArgumentException(
                    "partition " + partition + " of directory " + directory + " is at depth " + depth);
        }
        return new Builder(directory, shards)
                .putAll(this)
                .put(partition, depth + 1, version)
                .put(partition + (1 << depth), depth + 1, version)
                .build();
    }

    /**
     * Merges this map with another map of the same directory. The result has the newer entry of each partition.
     *
     * @throws IllegalArgumentException if the other map is of another directory or for another number of shards
     */
    public PartitionMap merge(PartitionMap other) {
        if (!other.directory.equals(directory) || other.shards != shards) {
            throw new IllegalArgumentException("maps of directory " + directory + " over " + shards + " shards and "
                    + other.directory + " over " + other.shards);
        }
        return new Builder(directory, shards).putAll(this).putAll(other).build();
    }

    public io.steadfs.wire.proto.PartitionMap toProto() {
        io.steadfs.wire.proto.PartitionMap.Builder proto = io.steadfs.wire.proto.PartitionMap.newBuilder()
                .setDirectory(directory.value())
                .setShards(shards);
        for (int i = 0; i < partitions.length; i++) {
            proto.addEntriesBuilder()
                    .setPartition(partitions[i])
                    .setDepth(depths[i])
                    .setVersion(versions[i]);
        }
        return proto.build();
    }

    /** @throws IllegalArgumentException if the message does not describe a valid map */
    public static PartitionMap fromProto(io.steadfs.wire.proto.PartitionMap proto) {
        Handle directory = new Handle(proto.getDirectory());
        if (!directory.isOwnedByShard()) {
            throw new IllegalArgumentException("partition map of " + directory + ", which is no directory");
        }
        Builder builder = new Builder(directory, proto.getShards());
        for (io.steadfs.wire.proto.PartitionMap.Entry entry : proto.getEntriesList()) {
            builder.put(entry.getPartition(), entry.getDepth(), entry.getVersion());
        }
        return builder.build();
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PartitionMap map
                && directory.equals(map.directory)
                && shards == map.shards
                && Arrays.equals(partitions, map.partitions)
                && Arrays.equals(depths, map.depths)
                && Arrays.equals(versions, map.versions);
    }

    @Override
    public int hashCode() {
        return 31 * (31 * directory.hashCode() + Arrays.hashCode(partitions)) + Arrays.hashCode(versions);
    }

    @Override
    public String toString() {
        StringBuilder text =
                new StringBuilder("partitions of ").append(directory).append(':');
        for (int i = 0; i < partitions.length; i++) {
            text.append(' ')
                    .append(partitions[i])
                    .append("/d")
                    .append(depths[i])
                    .append("/v")
                    .append(versions[i]);
        }
        return text.toString();
    }
}
