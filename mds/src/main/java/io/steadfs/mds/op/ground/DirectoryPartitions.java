package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.Maps;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.store.ReadView;
import java.util.List;
import java.util.Optional;

/** Lists the partitions of directories. */
public final class DirectoryPartitions {
    private DirectoryPartitions() {}

    /** All partitions but the directory itself. This shard must be the directory's home shard. */
    public static List<Handle> of(DirectoryNode directory, Context context) {
        return beside(directory, context).stream().map(Partition::handle).toList();
    }

    /** All partitions but that of the directory itself. This shard must be the directory's home shard. */
    public static List<Partition> beside(DirectoryNode directory, Context context) {
        return DirectoryNode.hasOnePartition(directory.row())
                ? List.of()
                : Maps.entries(context.view(), directory.handle()).stream()
                        .map(MapEntry::partition)
                        .filter(each -> !each.handle().equals(directory.handle()))
                        .toList();
    }

    /**
     * The partitions that are on this shard and not lost, without the directory itself. This shard must be its home shard.
     */
    public static List<DirectoryNode> here(DirectoryNode directory, Context context) {
        return here(of(directory, context), context);
    }

    /** Whether this shard has all names of the directory, of which it is the home shard. */
    public static boolean areHere(DirectoryNode directory, Context context) {
        return of(directory, context).stream().allMatch(context::owns);
    }

    static List<DirectoryNode> here(List<Handle> partitions, Context context) {
        return partitions.stream()
                .filter(context::owns)
                .flatMap(each ->
                        Directories.find(context.view(), each).map(row -> new DirectoryNode(each, row)).stream())
                .toList();
    }

    /**
     * This shard's entry of a partition that it has.
     *
     * @param row the partition's row; a directory that is no partition has no entry
     */
    public static Optional<MapEntry> entry(ReadView view, Handle partition, DirectoryRow row) {
        return row.hasPartOf()
                ? Maps.get(
                                view,
                                new Handle(row.getPartOf().getDirectory()),
                                row.getPartOf().getPartition())
                        .filter(entry -> entry.handle().equals(partition))
                : Optional.empty();
    }

    /** Whether a hand over holds this shard's entry of a partition. */
    public static boolean isHeld(DirectoryNode partition, Context context) {
        return entry(context.view(), partition.handle(), partition.row())
                .filter(entry -> entry.lock().isPresent())
                .isPresent();
    }

    /** Whether a hand over holds an entry of the map of the directory. */
    static boolean areHeld(DirectoryNode directory, Context context) {
        return !DirectoryNode.hasOnePartition(directory.row())
                && Maps.entries(context.view(), directory.handle()).stream()
                        .anyMatch(each -> each.lock().isPresent());
    }
}
