package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.partition.Partitions;
import io.steadfs.mds.partition.proto.PartitionRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.partition.PartitionMap;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.FileType;
import java.util.Optional;

/**
 * A directory. Some values, such as the number of entries, change with the entries. Each partition has its own part of
 * these values, and readers add the parts.
 */
public record DirectoryNode(Handle handle, DirectoryRow row) implements Node {
    @Override
    public int mode() {
        return row.getMode();
    }

    @Override
    public String owner() {
        return row.getOwner();
    }

    @Override
    public String group() {
        return row.getGroup();
    }

    @Override
    public long version() {
        return row.getVersion();
    }

    @Override
    public int xattrs() {
        return row.getXattrs();
    }

    @Override
    public LogRecord withXattrs(int count) {
        return new DirectorySet(handle, row.toBuilder().setXattrs(count).build());
    }

    /**
     * Whether all names of the directory are in partition 0, on the shard of this row. If so, the partition of a name
     * is known without reading a partition's row.
     */
    public static boolean hasOnePartition(DirectoryRow row) {
        return !row.getSplit();
    }

    /** The number of the partition for names with this hash. This shard's partition map may be old. */
    public static int partitionOf(ReadView view, Handle directory, DirectoryRow row, long hash) {
        return hasOnePartition(row) ? 0 : map(view, directory, row).ownerOf(hash);
    }

    /** The directory's partition map that this shard knows. The map may be old. */
    public static PartitionMap map(ReadView view, Handle directory, DirectoryRow row) {
        Optional<PartitionRow> only = hasOnePartition(row) ? Partitions.find(view, directory, 0) : Optional.empty();
        return only.isEmpty()
                ? Partitions.map(view, directory, row.getShards())
                : PartitionMap.builder(directory, row.getShards())
                        .put(0, only.get().getDepth(), only.get().getVersion())
                        .build();
    }

    /** Number of entries in all partitions on this shard. */
    public static long entries(ReadView view, Handle directory, DirectoryRow row) {
        if (hasOnePartition(row)) {
            return partition(view, directory, 0).getEntries();
        }
        long[] entries = new long[1];
        Partitions.forEach(view, directory, (partition, number) -> entries[0] += partition.getEntries());
        return entries[0];
    }

    static PartitionRow partition(ReadView view, Handle directory, int number) {
        return Partitions.find(view, directory, number)
                .orElseThrow(() -> new DanglingDirent("directory " + directory + " lacks its partition " + number));
    }

    @Override
    public Attributes attributes(ReadView view, boolean wantLayout) {
        if (hasOnePartition(row)) {
            PartitionRow only = partition(view, handle, 0);
            return attributes(only.getEntries(), only.getModificationTime());
        }
        long[] merged = new long[2];
        Partitions.forEach(view, handle, (partition, number) -> {
            merged[0] += partition.getEntries();
            merged[1] = Math.max(merged[1], partition.getModificationTime());
        });
        return attributes(merged[0], merged[1]);
    }

    public Attributes attributes(long entries, long modificationTime) {
        return Attributes.newBuilder()
                .setHandle(handle.value())
                .setType(FileType.DIRECTORY)
                .setMode(row.getMode())
                .setOwner(row.getOwner())
                .setGroup(row.getGroup())
                .setModificationTime(modificationTime)
                .setAccessTime(row.getAccessTime())
                .setVersion(row.getVersion())
                .setEntries(entries)
                .build();
    }
}
