package io.steadfs.ioserver.datafile;

import io.steadfs.store.format.FormatSteps;
import java.util.List;

/**
 * The formats of an IO server's store: its tables, keys and values, as drawn in {@link DatafileTables}, and the names of the files beside
 * it. A step is needed if rows that exist change their meaning. A new table or a new kind of key needs none.
 */
public final class DatafileFormat {
    /** The steps from the first format to the one of this release. Shards have as many: a file system has one number. */
    public static final FormatSteps STEPS = new FormatSteps(DatafileTables.ALL, DatafileTables.META, List.of());

    private DatafileFormat() {}
}
