package io.steadfs.mds.op.attribute;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.FirstSplit;
import io.steadfs.mds.op.ground.Gathering;
import io.steadfs.mds.op.ground.NewHandles;
import io.steadfs.mds.op.ground.NewPartition;
import io.steadfs.mds.op.ground.ParticipantRows;
import io.steadfs.mds.op.ground.PartitionLimits;
import io.steadfs.mds.op.ground.Prepared;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.SpreadShards;
import io.steadfs.mds.op.ground.WholeDirectory;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.MakePartitions;
import io.steadfs.wire.proto.PrepareReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Spreads an empty directory over several partitions, all in one intent (docs/decisions/0033-partitions.md). Partition p is
 * on the shard (home + p mod S) mod N, as in Giga+. N is the number of shards, S that of those which may have names of the
 * directory. The home shard decides. The other shards own their partitions when they hear of it.
 */
final class Presplit {
    private final DirectoryNode directory;
    private final Context context;

    Presplit(DirectoryNode directory, Context context) {
        this.directory = directory;
        this.context = context;
    }

    /**
     * The records that make the partitions, with the directory's row.
     *
     * @param xattrs number of extended attributes of the directory then
     * @return none if the directory has names or several partitions already, or if one partition is enough
     */
    List<LogRecord> records(long files, int xattrs, PartitionLimits limits) throws Refused {
        if (directory.row().hasLock()) {
            throw ParticipantRows.busy(
                    "directory " + directory.handle(), directory.row().getLock());
        }
        if (directory.row().hasGiving()) {
            throw WholeDirectory.isGiving(directory.handle());
        }
        int shards = SpreadShards.of(directory.handle(), context);
        int splits = limits.splits(files, shards);
        if (splits == 0
                || !DirectoryNode.hasOnePartition(directory.row())
                || DirectoryNode.entries(context.view(), directory.handle()) > 0) {
            return List.of();
        }
        requireUndone();
        Map<Integer, List<Integer>> numbers = new TreeMap<>();
        for (int number = 1; number < 1 << splits; number++) {
            int shard = SpreadShards.ofPartition(
                    number, directory.handle().shard(), shards, context.shards().serving());
            numbers.computeIfAbsent(shard, each -> new ArrayList<>()).add(number);
        }
        List<LogRecord> records = new ArrayList<>();
        records.add(entry(new Partition(0, splits, directory.handle())));
        List<Integer> here = numbers.getOrDefault(context.inputs().shard(), List.of());
        numbers.remove(context.inputs().shard());
        here(splits, here, records);
        elsewhere(splits, numbers, records);
        records.addAll(FirstSplit.records(
                directory.handle(),
                directory.row().toBuilder().setXattrs(xattrs).build(),
                DirectoryCounts.find(context.view(), directory.handle()).orElseThrow()));
        return records;
    }

    /** Refuses with BUSY while a shard that had names of the directory has not undone a hand over to this shard. */
    private void requireUndone() throws Refused {
        if (!Maps.staged(context.view(), directory.handle()).isEmpty()) {
            throw new Refused(
                    FsError.BUSY, "a hand over of directory " + directory.handle() + " is not undone yet; try again");
        }
    }

    private LogRecord entry(Partition partition) {
        return new MapEntrySet(directory.handle(), new MapEntry(partition, false));
    }

    private void here(int depth, List<Integer> numbers, List<LogRecord> records) throws Refused {
        NewHandles handles = new NewHandles(context);
        for (int number : numbers) {
            Partition partition = new Partition(number, depth, handles.take());
            records.addAll(new NewPartition(
                            directory.handle(), partition, directory.row().getDepth())
                    .records(false, context));
        }
        records.add(handles.raised());
    }

    /** @param numbers of the partitions of each other shard */
    private void elsewhere(int depth, Map<Integer, List<Integer>> numbers, List<LogRecord> records) throws Refused {
        Gathering gathering = new Gathering(context);
        for (Map.Entry<Integer, List<Integer>> each : numbers.entrySet()) {
            MakePartitions made = MakePartitions.newBuilder()
                    .setDirectory(directory.handle().value())
                    .addAllNumbers(each.getValue())
                    .setDepth(depth)
                    .setPathDepth(directory.row().getDepth())
                    .build();
            Optional<Reply> reply = gathering.find(Prepared.partitions(each.getKey(), made));
            if (reply.isPresent()) {
                List<Long> handles =
                        Refused.unlessOk(reply.get(), PrepareReply.class).getPartitionsList();
                for (int i = 0; i < handles.size(); i++) {
                    records.add(entry(new Partition(each.getValue().get(i), depth, new Handle(handles.get(i)))));
                }
            }
        }
        gathering.settle();
    }
}
