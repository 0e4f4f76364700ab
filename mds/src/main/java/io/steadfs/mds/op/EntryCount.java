package io.steadfs.mds.op;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.partition.PartitionSet;
import io.steadfs.mds.partition.proto.PartitionRow;

/** The small record that every change of an entry updates: count and time of the partition that holds the name. */
final class EntryCount {
    private EntryCount() {}

    /** The directory's partition, with so many more entries, changed now. */
    static PartitionSet changed(Context context, Handle directory, DirectoryRow row, long hash, int more) {
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
