package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.directory.proto.TimeSet;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.record.LogRecord;
import java.util.List;

/** Says in the rows of a directory that it has several partitions from now on. */
public final class FirstSplit {
    private FirstSplit() {}

    /**
     * The records. The directory keeps its modification time until an entry changes.
     *
     * @param counts what its own partition counts then
     */
    public static List<LogRecord> records(Handle directory, DirectoryRow row, CountsRow counts) {
        return List.of(
                new CountsSet(
                        directory, counts.toBuilder().setModificationTime(0).build()),
                new DirectorySet(
                        directory,
                        row.toBuilder()
                                .setSplit(true)
                                .setTimeSet(TimeSet.newBuilder()
                                        .setTime(counts.getModificationTime())
                                        .setChanges(counts.getChanges()))
                                .build()));
    }
}
