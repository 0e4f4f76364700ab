package io.steadfs.partition;

import io.steadfs.handle.Handle;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/**
 * Says which partition of a directory has which names. Immutable. The method is that of Giga+. SkyeFS keeps bitmaps
 * instead of maps.
 *
 * <p>A new directory has only partition 0, which has all names, at depth 0. All names of a partition at depth d have
 * hashes that begin with the same d bits. A split of partition p gives the upper half of its hashes to partition
 * {@code p + 2^d}. After the split, both partitions are at depth d+1. So the number of a partition, with its bits in
 * reverse order, is the start of the partition's lowest hash. Every partition has one range of hashes. Every hash is
 * in the range of exactly one partition.
 *
 * <p>The names of a partition are in a directory that belongs to the partition (docs/decisions/0033-partitions.md). One
 * such directory may have the names of several partitions. The map of the shard that decides about it is exact. Everybody else's map may be old. Maps are replaced whole.
 */
public final class PartitionMap {
    /** Largest depth of a partition. A partition's depth is the number of splits that led to its range of hashes. */
    public static final int MAX_DEPTH = 30;

    /** The most partitions of a directory. */
    public static final int MOST = 1 << 10;

    /**
     * A partition.
     *
     * @param handle the directory that has the names of the partition
     */
    public record Partition(int number, int depth, Handle handle) {
        public Partition {
            if (depth < 0 || depth > MAX_DEPTH || number < 0 || number >= 1 << depth || !handle.isOwnedByShard()) {
                throw new IllegalArgumentException("partition " + Integer.toUnsignedString(number) + " at depth "
                        + Integer.toUnsignedString(depth) + " in " + handle);
            }
        }

        /** Lowest hash of the partition, as an unsigned number. */
        public long firstHash() {
            return Long.reverse(number);
        }

        /** Highest hash of the partition, as an unsigned number. */
        public long lastHash() {
            return firstHash() | -1L >>> depth;
        }

        /** The part of all hashes that the partition has, in units of 2^-{@value #MAX_DEPTH}. */
        public long share() {
            return 1L << (MAX_DEPTH - depth);
        }

        /** Whether names with this hash are in the partition. */
        public boolean has(long hash) {
            return Long.compareUnsigned(firstHash(), hash) <= 0 && Long.compareUnsigned(hash, lastHash()) <= 0;
        }

        /**
         * What a split makes of the upper half of the hashes.
         *
         * @param newHandle the directory that has its names then
         */
        public Partition upperHalf(Handle newHandle) {
            return new Partition(number | 1 << depth, depth + 1, newHandle);
        }

        /** What is left of the partition after a split. */
        public Partition lowerHalf() {
            return new Partition(number, depth + 1, handle);
        }

        /** Whether a split makes the other one of this partition. */
        public boolean isHalfOf(Partition whole) {
            return depth == whole.depth + 1 && whole.has(firstHash());
        }

        /** Whether the last split made the partition, as the upper half of another one. */
        public boolean isUpperHalf() {
            return depth > 0 && (number & 1 << (depth - 1)) != 0;
        }

        /** The number of the partition from which the last split made this one. */
        public int lowerNumber() {
            return number & ~(1 << (depth - 1));
        }
    }

    private final Handle directory;
    /** In the order of the hashes. */
    private final List<Partition> partitions;

    private PartitionMap(Handle directory, List<Partition> partitions) {
        this.directory = directory;
        this.partitions = partitions;
    }

    /**
     * @throws IllegalArgumentException if the partitions leave out a hash, if two of them have the same hash, or if there
     *     are more than {@link #MOST}
     */
    public static PartitionMap of(Handle directory, Collection<Partition> partitions) {
        if (!directory.isOwnedByShard()) {
            throw new IllegalArgumentException("partition map of " + directory + ", which is no directory");
        }
        if (partitions.size() > MOST) {
            throw new IllegalArgumentException(
                    "directory " + directory + " with " + partitions.size() + " partitions, at most " + MOST);
        }
        List<Partition> inOrder = new ArrayList<>(partitions);
        inOrder.sort(Comparator.comparing(Partition::firstHash, Long::compareUnsigned));
        long next = 0;
        for (int i = 0; i < inOrder.size(); i++) {
            Partition each = inOrder.get(i);
            boolean isBehindLast = i > 0 && next == 0;
            if (isBehindLast || Long.compareUnsigned(each.firstHash(), next) < 0) {
                throw new IllegalArgumentException("partition " + each.number() + " of directory " + directory
                        + " has hashes that another one has, too, from " + hex(each.firstHash()) + " on");
            }
            if (each.firstHash() != next) {
                throw without(directory, next, each.firstHash() - 1);
            }
            next = each.lastHash() + 1;
        }
        if (inOrder.isEmpty() || next != 0) {
            throw without(directory, next, -1);
        }
        return new PartitionMap(directory, List.copyOf(inOrder));
    }

    private static IllegalArgumentException without(Handle directory, long first, long last) {
        return new IllegalArgumentException(
                "no partition of directory " + directory + " has the hashes " + hex(first) + " to " + hex(last));
    }

    private static String hex(long hash) {
        return HexFormat.of().toHexDigits(hash);
    }

    public Handle directory() {
        return directory;
    }

    /** All partitions, in the order of their hashes. */
    public List<Partition> partitions() {
        return partitions;
    }

    /** The partition that has names with this hash. */
    public Partition of(long hash) {
        int low = 0;
        int high = partitions.size() - 1;
        while (low < high) {
            int middle = (low + high + 1) / 2;
            if (Long.compareUnsigned(partitions.get(middle).firstHash(), hash) <= 0) {
                low = middle;
            } else {
                high = middle - 1;
            }
        }
        return partitions.get(low);
    }

    public io.steadfs.wire.proto.PartitionMap toProto() {
        io.steadfs.wire.proto.PartitionMap.Builder proto =
                io.steadfs.wire.proto.PartitionMap.newBuilder().setDirectory(directory.value());
        for (Partition each : partitions) {
            proto.addPartitionsBuilder()
                    .setNumber(each.number())
                    .setDepth(each.depth())
                    .setHandle(each.handle().value());
        }
        return proto.build();
    }

    /** @throws IllegalArgumentException if the message does not describe a valid map */
    public static PartitionMap fromProto(io.steadfs.wire.proto.PartitionMap proto) {
        return of(
                new Handle(proto.getDirectory()),
                proto.getPartitionsList().stream()
                        .map(each -> new Partition(each.getNumber(), each.getDepth(), new Handle(each.getHandle())))
                        .toList());
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof PartitionMap map
                && directory.equals(map.directory)
                && partitions.equals(map.partitions);
    }

    @Override
    public int hashCode() {
        return 31 * directory.hashCode() + partitions.hashCode();
    }

    @Override
    public String toString() {
        return "map of " + directory + ": " + partitions;
    }
}
