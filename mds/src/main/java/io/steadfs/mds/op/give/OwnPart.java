package io.steadfs.mds.op.give;

import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.directory.proto.Giving;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.WholeDirectory;
import io.steadfs.mds.partition.GivingSet;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.partition.proto.GivingRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.partition.PartitionMap.Partition;
import java.util.Optional;

/**
 * A directory with one partition, or a partition, that this shard owns.
 *
 * @param names the directory that has the names
 * @param whole the directory that users see
 * @param partition which names it has
 */
record OwnPart(DirectoryNode names, Handle whole, Partition partition) {
    /** @return empty if the shard does not own it, or if it is being removed */
    static Optional<OwnPart> find(Handle directory, Context context) {
        Optional<DirectoryRow> row = Directories.find(context.view(), directory);
        if (row.isEmpty() || row.get().hasLock() || DeletionQueue.hasTree(context.view(), directory)) {
            return Optional.empty();
        }
        Handle whole = WholeDirectory.of(directory, row.get());
        return partition(directory, row.get(), whole, context)
                .map(each -> new OwnPart(new DirectoryNode(directory, row.get()), whole, each));
    }

    private static Optional<Partition> partition(Handle directory, DirectoryRow row, Handle whole, Context context) {
        if (!row.hasPartOf() && DirectoryNode.hasOnePartition(row)) {
            return Optional.of(new Partition(0, 0, directory));
        }
        return Maps.get(context.view(), whole, row.getPartOf().getPartition())
                .filter(entry -> entry.handle().equals(directory)
                        && !entry.isStaged()
                        && entry.lock().isEmpty())
                .map(MapEntry::partition);
    }

    int home() {
        return whole.shard();
    }

    /**
     * Marks names as being given.
     *
     * @param range the partition whose hashes they have
     * @param all whether the partition ends
     */
    LogRecord[] marked(Partition range, boolean all, int target) {
        return new LogRecord[] {
            new DirectorySet(
                    names.handle(),
                    names.row().toBuilder()
                            .setGiving(Giving.newBuilder()
                                    .setNumber(range.number())
                                    .setDepth(range.depth()))
                            .build()),
            new GivingSet(
                    names.handle(),
                    GivingRow.newBuilder()
                            .setDirectory(whole.value())
                            .setNumber(range.number())
                            .setDepth(range.depth())
                            .setTarget(target)
                            .setAll(all)
                            .build())
        };
    }
}
