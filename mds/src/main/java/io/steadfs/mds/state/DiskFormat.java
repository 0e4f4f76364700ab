package io.steadfs.mds.state;

import io.steadfs.store.format.FormatSteps;
import io.steadfs.store.format.SameRows;
import java.util.List;

/**
 * The formats of a shard's store. A format covers tables, keys and values as drawn in {@link ShardTables}, and the
 * protobuf messages of the values. A format step is needed if existing rows change their meaning. A new table, a new
 * kind of key or a new field needs no step.
 */
public final class DiskFormat {
    /**
     * The steps from the first format to the format of this release. IO servers have the same number of steps, because
     * a file system has one format number.
     *
     * <p>From 5 on a dirent may be a symbolic link. A release that knows 4 alone would lose its target in a rename. From 6
     * on a directory may have several partitions. A release before would look for all names in the first one.
     * From 7 on a directory may be giving names to another shard. A release before would change them meanwhile.
     * From 8 on two partitions may be merging. A release before would take both for whole. From 9 on one directory may have
     * the names of several partitions, and partitions may be moving. A release before would lose all but one of them.
     */
    public static final FormatSteps STEPS = new FormatSteps(
            ShardTables.ALL,
            ShardTables.META,
            List.of(new SameRows(4), new SameRows(5), new SameRows(6), new SameRows(7), new SameRows(8)));

    private DiskFormat() {}
}
