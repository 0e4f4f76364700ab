package io.steadfs.ioserver.datafile;

import io.steadfs.store.format.FormatSteps;
import io.steadfs.store.format.SameRows;
import java.util.List;

/**
 * The formats of an IO server's store. A format covers tables, keys and values as drawn in {@link DatafileTables}, and
 * the names of the files beside the store. A format step is needed if existing rows change their meaning. A new table
 * or a new kind of key needs no step.
 */
public final class DatafileFormat {
    /**
     * The steps from the first format to the format of this release. Shards have the same number of steps, because a
     * file system has one format number.
     */
    public static final FormatSteps STEPS = new FormatSteps(
            DatafileTables.ALL,
            DatafileTables.META,
            List.of(new SameRows(4), new SameRows(5), new SameRows(6), new SameRows(7), new SameRows(8)));

    private DatafileFormat() {}
}
