package io.steadfs.mds.op.mend;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.op.check.ObjectOnRecord;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.partition.PartitionGone;
import io.steadfs.mds.partition.PartitionSet;
import io.steadfs.mds.partition.Partitions;
import io.steadfs.mds.partition.proto.PartitionRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.MendDirectory;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Repairs the partition of a directory. The decision counts the names of the directory anew. If the directory belongs
 * to another shard, its partitions are removed here. If the directory does not exist and has no names, its partitions
 * are removed, too. If the directory does not exist but has names, it is made again for the superuser alone. A later
 * check finds that no name leads to the new directory.
 */
record DirectoryMending(MendDirectory request) implements Mending {
    private static final int MODE = 0700;

    private static List<LogRecord> partitionsGone(Context context, Handle directory) {
        List<LogRecord> gone = new ArrayList<>();
        Partitions.forEach(
                context.view(), directory, (partition, number) -> gone.add(new PartitionGone(directory, number)));
        return gone;
    }

    @Override
    public Mended mend(Context context) throws Refused {
        Handle directory = new Handle(request.getDirectory());
        if (!context.owns(directory)) {
            return Mended.of(partitionsGone(context, directory));
        }
        Optional<DirectoryRow> row = Directories.find(context.view(), directory);
        if (row.isEmpty() && ObjectOnRecord.isThere(context.view(), directory)) {
            throw Mending.stale("object " + directory + " is no directory");
        }
        long names = Dirents.count(context.view(), directory);
        List<LogRecord> records = new ArrayList<>();
        if (row.isEmpty() && names == 0) {
            return Mended.of(partitionsGone(context, directory));
        }
        if (row.isEmpty()) {
            records.add(new DirectorySet(
                    directory,
                    DirectoryRow.newBuilder()
                            .setMode(MODE)
                            .setOwner(context.principal().user())
                            .setGroup(context.principal().user())
                            .setAccessTime(context.now())
                            .setVersion(1)
                            .setShards(Math.max(1, context.inputs().cluster().getShardCount()))
                            .build()));
        }
        PartitionRow partition =
                Partitions.find(context.view(), directory, 0).orElseGet(() -> Partitions.first(context.now()));
        records.add(new PartitionSet(
                directory, 0, partition.toBuilder().setEntries(names).build()));
        return Mended.of(records);
    }
}
