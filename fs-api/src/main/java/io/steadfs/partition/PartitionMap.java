package io.steadfs.partition;

import io.steadfs.handle.Handle;
import java.util.Arrays;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Which partition of a directory holds which names, as far as the owner of this map knows (Giga+; SkyeFS keeps bitmaps instead).
 *
 * <p>Partition 0 begins with all names, at depth 0. A partition p at depth d holds the names whose hash begins with the same d bits.
 * Splitting it gives the upper half of its hashes to partition {@code p + 2^d}, and both are then at depth d+1. So a partition's number,
 * with its bits read backwards, tells where its hashes begin. Every partition is one range of hashes, and the ranges of all partitions
 * together hold each hash once.
 *
 * <p>A map may be old or partial. If p is at depth d, then the partitions that were split off from it on its way there exist, even where
 * the map has no entry of their own. A walk from partition 0 needs only the entries that it meets. If the wrong shard was asked, its answer
 * leads at least one split further.
 *
 * <p>Entries carry versions, and a merge of two maps takes the newer entry. So a merge of partitions is not forgotten either. Immutable.
 */
public final class PartitionMap {
    /** Version of the entry for partition 0 of a new directory. */
    public static final long FIRST_VERSION = 1;

    /** Greatest depth: so many splits below one another. */
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

    /** The entry of one partition. */
    private record Entry(int partition, int depth, long version) {
        Entry {
            if (depth < 0 || depth > MAX_DEPTH || partition < 0 || partition >= 1 << depth || version < FIRST_VERSION) {
                throw new IllegalArgumentException("partition " + Integer.toUnsignedString(partition) + " at depth "
                        + Integer.toUnsignedString(depth) + " version " + version);
            }
        }
    }

    /** The map of a new directory: one partition. A client that knows nothing yet also begins with this map. */
    public static PartitionMap initial(Handle directory, int shards) {
        return builder(directory, shards).put(0, 0, FIRST_VERSION).build();
    }

    /** @param shards number of shards when the directory was made */
    public static Builder builder(Handle directory, int shards) {
        return new Builder(directory, shards);
    }

    /** Gathers entries. Of two entries for a partition the newer one stays. */
    public static final class Builder {
        private final Handle directory;
        private final int shards;
        private final TreeMap<Integer, Entry> entries = new TreeMap<>();

        private Builder(Handle directory, int shards) {
            if (shards < 1) {
                throw new IllegalArgumentException("directory " + directory + " made with " + shards + " shards");
            }
            directory.shard(); // throws if this is no directory's handle
            this.directory = directory;
            this.shards = shards;
        }

        /** @throws IllegalArgumentException if no partition of that number can be at that depth */
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

    /** Number of shards when the directory was made. */
    public int shards() {
        return shards;
    }

    /** Numbers of the partitions that have an entry, rising. */
    public int[] partitions() {
        return partitions.clone();
    }

    /** Partition that holds names with this hash, as far as this map knows. */
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

    /** Shard that holds the partition. */
    public int shardOf(int partition) {
        return (int) ((directory.shard() + (long) partition) % shards);
    }

    /** Depth of the partition. Empty where the map has no entry of it. */
    public OptionalInt depthOf(int partition) {
        int i = Arrays.binarySearch(partitions, partition);
        return i < 0 ? OptionalInt.empty() : OptionalInt.of(depths[i]);
    }

    /** Version of the partition's entry; 0 where there is none. */
    public long versionOf(int partition) {
        int i = Arrays.binarySearch(partitions, partition);
        return i < 0 ? 0 : versions[i];
    }

    /** Lowest hash, unsigned, of the partition at any depth. */
    public static long firstHash(int partition) {
        return Long.reverse(partition);
    }

    /** Highest hash, unsigned, of the partition at the depth. */
    public static long lastHash(int partition, int depth) {
        return Long.reverse(partition) | -1L >>> depth;
    }

    /**
     * This map after the partition gave away the upper half of its hashes.
     *
     * @throws IllegalArgumentException if the map has no entry of the partition, or it is at {@link #MAX_DEPTH}
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
     * The newer entry of each partition.
     *
     * @throws IllegalArgumentException if the other map is of another directory
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

    /** @throws IllegalArgumentException if it is not a possible map */
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
