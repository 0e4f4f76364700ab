package io.steadfs.mds.state;

import io.steadfs.store.format.FormatSteps;
import java.util.List;

/**
 * The formats of a shard's store: its tables, keys and values, as drawn in {@link ShardTables}, and the values' protobuf messages. A step is
 * needed if rows that exist change their meaning. A new table, a new kind of key or a new field needs none.
 */
public final class DiskFormat {
    /** The steps from the first format to the one of this release. IO servers have as many: a file system has one number. */
    public static final FormatSteps STEPS = new FormatSteps(ShardTables.ALL, ShardTables.META, List.of());

    private DiskFormat() {}
}
