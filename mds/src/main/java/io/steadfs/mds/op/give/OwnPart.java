package io.steadfs.mds.op.give;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.partition.PartitionMap.Partition;

/**
 * One of the partitions whose names a directory of this shard has.
 *
 * @param names all names of that directory
 */
record OwnPart(OwnNames names, Partition partition) {
    /** The directory that has the names. */
    Handle handle() {
        return names.handle();
    }

    /** The directory that users see. */
    Handle whole() {
        return names.whole();
    }

    int home() {
        return names.home();
    }

    DirectoryRow row() {
        return names.node().row();
    }

    boolean isAtHome(Context context) {
        return context.owns(whole());
    }

    /** Whether the directory that has the names has none of another partition. */
    boolean isOnly() {
        return names.isOnly(partition);
    }
}
