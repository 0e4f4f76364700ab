package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.partition.PartitionSet;
import io.steadfs.mds.partition.proto.PartitionRow;
import io.steadfs.mds.pipeline.DirectoryTimes;

/**
 * Makes the record that updates a partition after an entry of the partition has changed. The record has the partition's
 * new number of entries and, unless times are relaxed, its new modification time.
 */
public final class EntryCount {
    private EntryCount() {}

    /**
     * The record that adds {@code more} to the partition's number of entries. It sets the modification time as
     * {@link DirectoryTimes} says.
     *
     * @param hash hash of the changed name, which selects the partition
     * @param more number of added entries; negative for removed entries
     * @throws Refused BUSY if the directory is held for its removal
     */
    public static PartitionSet changed(Context context, Handle directory, DirectoryRow row, long hash, int more)
            throws Refused {
        if (row.hasLock()) {
            throw ParticipantRows.busy("directory " + directory, row.getLock());
        }
        return counted(context, directory, row, hash, more);
    }

    /**
     * Like {@link #changed}, but never refuses. A shard uses this method to remove an entry that it held for a rename.
     */
    public static PartitionSet counted(Context context, Handle directory, DirectoryRow row, long hash, int more) {
        int number = DirectoryNode.partitionOf(context.view(), directory, row, hash);
        PartitionRow old = DirectoryNode.partition(context.view(), directory, number);
        return new PartitionSet(
                directory,
                number,
                old.toBuilder()
                        .setEntries(old.getEntries() + more)
                        .setModificationTime(
                                context.inputs().times().afterChange(old.getModificationTime(), context.now()))
                        .build());
    }
}
