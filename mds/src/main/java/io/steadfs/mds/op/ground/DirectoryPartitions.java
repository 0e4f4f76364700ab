package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.Maps;
import io.steadfs.store.ReadView;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Lists the partitions of directories. */
public final class DirectoryPartitions {
    private DirectoryPartitions() {}

    /** All partitions but the directory itself. This shard must be the directory's home shard. */
    public static List<Handle> of(DirectoryNode directory, Context context) {
        return List.copyOf(shares(directory, context).keySet());
    }

    /**
     * The part of all hashes that each directory beside the directory itself has, in units of 2^-30. They are in the order of
     * their lowest hashes. This shard must be the directory's home shard.
     */
    public static Map<Handle, Long> shares(DirectoryNode directory, Context context) {
        Map<Handle, Long> shares = new LinkedHashMap<>();
        if (!DirectoryNode.hasOnePartition(directory.row())) {
            for (MapEntry each : Maps.entries(context.view(), directory.handle())) {
                shares.merge(each.handle(), each.partition().share(), Long::sum);
            }
        }
        shares.remove(directory.handle());
        return shares;
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
     * This shard's entries that lead to a directory, which it has, in the order of their hashes. Staged ones come last.
     *
     * @param row the row of that directory; without several partitions it has no entry
     */
    public static List<MapEntry> entries(ReadView view, Handle directory, DirectoryRow row) {
        if (!row.hasPartOf() && DirectoryNode.hasOnePartition(row)) {
            return List.of();
        }
        Handle whole = WholeDirectory.of(directory, row);
        return Stream.concat(Maps.entries(view, whole).stream(), Maps.staged(view, whole).stream())
                .filter(each -> each.handle().equals(directory))
                .toList();
    }

    /** The part of all hashes that a partition of this shard has, in units of 2^-30. */
    public static long share(ReadView view, Handle partition, DirectoryRow row) {
        return entries(view, partition, row).stream()
                .filter(each -> !each.isStaged())
                .mapToLong(each -> each.partition().share())
                .sum();
    }

    /** Whether a hand over holds an entry of this shard that leads to a partition. */
    public static boolean isHeld(DirectoryNode partition, Context context) {
        return partition.row().hasPartOf()
                && entries(context.view(), partition.handle(), partition.row()).stream()
                        .anyMatch(entry -> entry.lock().isPresent());
    }

    /** Whether a hand over holds an entry of the map of the directory. */
    static boolean areHeld(DirectoryNode directory, Context context) {
        return !DirectoryNode.hasOnePartition(directory.row())
                && Maps.entries(context.view(), directory.handle()).stream()
                        .anyMatch(each -> each.lock().isPresent());
    }
}
