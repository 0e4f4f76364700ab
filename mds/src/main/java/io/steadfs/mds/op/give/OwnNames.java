package io.steadfs.mds.op.give;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.directory.proto.Giving;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.DirectoryPartitions;
import io.steadfs.mds.op.ground.Facts;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.WholeDirectory;
import io.steadfs.mds.partition.GivingSet;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.partition.proto.GivingRow;
import io.steadfs.mds.pipeline.AncestorCopies;
import io.steadfs.mds.pipeline.Missing;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.partition.PartitionMap;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.GiveCopiesReply;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * The names that a directory of this shard has: all names of a directory with one partition, or the names of one or more
 * partitions.
 *
 * @param node the directory that has the names
 * @param whole the directory that users see
 * @param partitions which names it has, in the order of their hashes
 */
record OwnNames(DirectoryNode node, Handle whole, List<Partition> partitions) {
    /** @return empty if the shard does not own them, if a hand over holds one of the partitions, or if they are removed */
    static Optional<OwnNames> find(Handle directory, Context context) {
        Optional<DirectoryRow> row = Directories.find(context.view(), directory);
        if (row.isEmpty() || row.get().hasLock() || DeletionQueue.hasTree(context.view(), directory)) {
            return Optional.empty();
        }
        DirectoryNode node = new DirectoryNode(directory, row.get());
        Handle whole = WholeDirectory.of(directory, row.get());
        if (isOnePartition(row.get())) {
            return Optional.of(new OwnNames(node, whole, List.of(new Partition(0, 0, directory))));
        }
        List<MapEntry> entries = DirectoryPartitions.entries(context.view(), directory, row.get());
        boolean isFree = entries.stream()
                .allMatch(each -> !each.isStaged() && each.lock().isEmpty());
        return entries.isEmpty() || !isFree
                ? Optional.empty()
                : Optional.of(new OwnNames(
                        node, whole, entries.stream().map(MapEntry::partition).toList()));
    }

    private static boolean isOnePartition(DirectoryRow row) {
        return !row.hasPartOf() && DirectoryNode.hasOnePartition(row);
    }

    /** Whether the directory that users see has one partition. */
    boolean isUnsplit() {
        return isOnePartition(node.row());
    }

    Handle handle() {
        return node.handle();
    }

    int home() {
        return whole.shard();
    }

    /** Whether the partition is the one that stays here while others go: the directory's row has its number. */
    boolean isOwn(Partition partition) {
        return partition.number() == node.row().getPartOf().getPartition();
    }

    /** Whether the directory has no names of another partition. */
    boolean isOnly(Partition partition) {
        return partitions.equals(List.of(partition));
    }

    /** The partition that has all names of a range, which is of it or of its upper half. */
    Optional<Partition> with(GivingRow row) {
        boolean isHalf = switch (row.getWhat()) {
            case UPPER_HALF, HALVED -> true;
            case MERGED, MOVED, UNRECOGNIZED -> false;
        };
        return partitions.stream()
                .filter(each -> {
                    Partition range = isHalf ? each.upperHalf(handle()) : each;
                    return range.number() == row.getNumber() && range.depth() == row.getDepth();
                })
                .findFirst();
    }

    /**
     * The map of the whole directory, as it is now. On another shard than its home shard, the home shard is asked: an old
     * copy would have several shards give to the same one.
     *
     * @throws Refused STALE_START if the directory does not exist any more; STALE_VERSION if the home shard has not heard
     *     of the last hand over of this shard; and whatever the home shard refuses with
     * @throws Missing if the home shard must be asked
     */
    PartitionMap map(Context context) throws Refused {
        if (isUnsplit()) {
            return PartitionMap.of(whole, partitions);
        }
        if (context.owns(whole)) {
            return Maps.whole(context.view(), whole);
        }
        Reply reply =
                context.inputs().peerAnswers().get(Facts.copies(context.inputs().shard(), whole, List.of()));
        var unused = Refused.unlessOk(reply, GiveCopiesReply.class);
        PartitionMap map = context.inputs()
                .copies()
                .directory(whole)
                .flatMap(AncestorCopies.Directory::partitions)
                .orElseThrow(() ->
                        new Refused(FsError.STALE_VERSION, "the copy of directory " + whole + " has one partition"));
        requireUpToDate(map, context);
        return map;
    }

    /** The home shard hears of the end of a hand over after the source. Its map has too much for this shard until then. */
    private void requireUpToDate(PartitionMap map, Context context) throws Refused {
        Set<Partition> said = map.partitions().stream()
                .filter(each -> context.owns(each.handle()))
                .collect(Collectors.toSet());
        Set<Partition> owned = Maps.entries(context.view(), whole).stream()
                .map(MapEntry::partition)
                .collect(Collectors.toSet());
        if (!said.equals(owned)) {
            throw new Refused(
                    FsError.STALE_VERSION,
                    "the home shard of directory " + whole + " has not heard of a hand over yet");
        }
    }

    /** The records that mark names as being given. The row says which. */
    List<LogRecord> marked(GivingRow row) {
        return List.of(
                new DirectorySet(
                        handle(),
                        node.row().toBuilder()
                                .setGiving(Giving.newBuilder()
                                        .setNumber(row.getNumber())
                                        .setDepth(row.getDepth()))
                                .build()),
                new GivingSet(handle(), row));
    }

    /** The row that says that names of a range are given. */
    GivingRow.Builder giving(GivingRow.What what, Partition range) {
        return GivingRow.newBuilder()
                .setDirectory(whole.value())
                .setNumber(range.number())
                .setDepth(range.depth())
                .setWhat(what);
    }
}
