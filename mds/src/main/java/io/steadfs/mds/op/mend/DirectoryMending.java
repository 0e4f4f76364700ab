package io.steadfs.mds.op.mend;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.op.check.ObjectOnRecord;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NewPartition;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.partition.CountsGone;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.CheckedPartitionRange;
import io.steadfs.wire.proto.MendDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Repairs what a directory counts. The decision counts the names of the directory anew. If the directory belongs to
 * another shard, its counts are removed here. If the directory does not exist and has no names, its counts are removed,
 * too. If the directory does not exist but has names, it is made again: as the partition that it was, if the check knows,
 * or else for the superuser alone. A later check finds that no name leads to the new directory.
 */
record DirectoryMending(MendDirectory request) implements Mending {
    private static final int MODE = 0700;

    @Override
    public Mended mend(Context context) throws Refused {
        Handle directory = new Handle(request.getDirectory());
        if (!context.owns(directory)) {
            return Mended.of(List.of(new CountsGone(directory)));
        }
        Optional<DirectoryRow> row = Directories.find(context.view(), directory);
        if (row.isEmpty() && ObjectOnRecord.isThere(context.view(), directory)) {
            throw Mending.stale("object " + directory + " is no directory");
        }
        long names = Dirents.count(context.view(), directory);
        List<LogRecord> records = new ArrayList<>();
        if (row.isEmpty() && names == 0) {
            return Mended.of(List.of(new CountsGone(directory)));
        }
        if (row.isEmpty()) {
            records.addAll(request.hasPartition() ? partition(directory, context) : directory(directory, context));
        }
        CountsRow partition =
                DirectoryCounts.find(context.view(), directory).orElseGet(() -> DirectoryCounts.first(context.now()));
        records.add(
                new CountsSet(directory, partition.toBuilder().setEntries(names).build()));
        return Mended.of(records);
    }

    private static List<LogRecord> directory(Handle directory, Context context) {
        String owner = context.principal().user();
        return List.of(new DirectorySet(
                directory,
                DirectoryRow.newBuilder()
                        .setMode(MODE)
                        .setOwner(owner)
                        .setGroup(owner)
                        .setAccessTime(context.now())
                        .setVersion(1)
                        .build()));
    }

    private List<LogRecord> partition(Handle directory, Context context) throws Refused {
        CheckedPartitionRange range = request.getPartition();
        return new NewPartition(
                        new Handle(range.getDirectory()),
                        PartitionMending.partition(range.getNumber(), range.getDepth(), directory),
                        0)
                .records(false, context);
    }
}
