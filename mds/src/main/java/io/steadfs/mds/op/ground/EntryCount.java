package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.partition.PartitionSet;
import io.steadfs.mds.partition.proto.PartitionRow;

/** Makes the small record that every change of an entry updates: count and time of the partition that holds the name. */
public final class EntryCount {
    private EntryCount() {}

    /**
     * The directory's partition with this number of entries added, changed now.
     *
     * @throws Refused BUSY if the directory is being removed, so that no entry may be added
     */
    public static PartitionSet changed(Context context, Handle directory, DirectoryRow row, long hash, int more)
            throws Refused {
        if (row.hasLock()) {
            throw ParticipantRows.busy("directory " + directory, row.getLock());
        }
        return counted(context, directory, row, hash, more);
    }

    /** Like {@link #changed}, for an entry that was held and is removed in any case. */
    public static PartitionSet counted(Context context, Handle directory, DirectoryRow row, long hash, int more) {
        int number = DirectoryNode.partitionOf(context.view(), directory, row, hash);
        PartitionRow old = DirectoryNode.partition(context.view(), directory, number);
        return new PartitionSet(
                directory,
                number,
                old.toBuilder()
                        .setEntries(old.getEntries() + more)
                        .setModificationTime(context.now())
                        .build());
    }
}
