package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.FileType;

/** A directory. The number of entries and the modification time change with the entries, and are in another row. */
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

    /** Whether all names of the directory are under its own handle, on the shard of this row. */
    public static boolean hasOnePartition(DirectoryRow row) {
        return !row.getSplit();
    }

    /** The key of a name of the directory, all of whose names are on this shard. */
    public DirentKey key(String name, ReadView view) {
        DirentKey key = DirentKey.of(handle, name);
        if (hasOnePartition(row)) {
            return key;
        }
        return key.in(Maps.find(view, handle, key.hash())
                .orElseThrow(() -> new DanglingDirent("the map of directory " + handle + " lacks " + key))
                .handle());
    }

    /** Number of entries under this handle on this shard, whatever other partitions have. */
    public static long entries(ReadView view, Handle directory) {
        return partition(view, directory).getEntries();
    }

    static CountsRow partition(ReadView view, Handle directory) {
        return DirectoryCounts.find(view, directory)
                .orElseThrow(() -> new DanglingDirent("directory " + directory + " lacks its counts"));
    }

    /**
     * The attributes of a directory that has one partition.
     *
     * @throws IllegalStateException if it has several: {@link PartitionCounts} adds up what they count
     */
    @Override
    public Attributes attributes(ReadView view, boolean wantLayout) {
        if (!hasOnePartition(row)) {
            throw new IllegalStateException("directory " + handle + " has several partitions");
        }
        CountsRow only = partition(view, handle);
        return attributes(only.getEntries(), only.getModificationTime());
    }

    /** As {@link #attributes}, or without entries and modification time if it has several partitions. */
    public Attributes attributesHere(ReadView view) {
        return hasOnePartition(row) ? attributes(view, false) : attributes(0, 0);
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
