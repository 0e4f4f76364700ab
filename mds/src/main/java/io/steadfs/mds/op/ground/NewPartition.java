package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.directory.proto.PartOf;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.partition.PartitionMap.Partition;
import java.util.List;

/**
 * Makes the records of an empty partition, which is a directory without a name.
 *
 * @param directory the directory that users see
 * @param pathDepth number of components of the directory's path, as its row has it
 */
public record NewPartition(Handle directory, Partition partition, int pathDepth) {
    /** @param isStaged whether the shard owns the partition only when an intent commits */
    public List<LogRecord> records(boolean isStaged, Context context) {
        return List.of(
                row(false, context),
                new CountsSet(partition.handle(), DirectoryCounts.first(0)),
                new MapEntrySet(directory, new MapEntry(partition, isStaged)));
    }

    /** @param isStaged whether the directory has names only until a hand over is over */
    public DirectorySet row(boolean isStaged, Context context) {
        return new DirectorySet(
                partition.handle(),
                DirectoryRow.newBuilder()
                        .setAccessTime(context.now())
                        .setVersion(1)
                        .setParent(directory.value())
                        .setDepth(pathDepth)
                        .setPartOf(PartOf.newBuilder()
                                .setDirectory(directory.value())
                                .setPartition(partition.number())
                                .setStaged(isStaged))
                        .build());
    }
}
