package io.steadfs.mds.op.mend;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.ParticipantRows;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.partition.PartitionMap;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.wire.proto.CheckedPartitionRange;
import io.steadfs.wire.proto.NewMapEntry;
import java.util.List;

/**
 * Makes the map of a directory of this shard lead to a partition, if no other partition has one of its hashes. If the
 * partition's directory has the names of others, too, the map leads there for those that nobody else has.
 */
record NewMapEntryMending(NewMapEntry request) implements Mending {
    @Override
    public Mended mend(Context context) throws Refused {
        Handle directory = new Handle(request.getRange().getDirectory());
        DirectoryRow row = ParticipantRows.directory(directory, context);
        if (row.hasLock()) {
            throw ParticipantRows.busy("directory " + directory, row.getLock());
        }
        if (!row.getSplit()) {
            throw Mending.stale("directory " + directory + " has one partition");
        }
        Handle handle = new Handle(request.getPartition());
        List<Partition> others = Maps.entries(context.view(), directory).stream()
                .map(MapEntry::partition)
                .filter(each -> !each.handle().equals(handle))
                .toList();
        List<Partition> wanted = request.getRange().getDepthUnknown()
                ? List.of(widest(request.getRange(), handle, others))
                : PartitionMending.partitions(request.getRange(), handle);
        if (isTaken(wanted.get(0), others)) {
            throw Mending.stale("other partitions of directory " + directory + " have hashes of "
                    + wanted.get(0).number());
        }
        return Mended.of(wanted.stream()
                .filter(each -> !isTaken(each, others))
                .<LogRecord>map(each -> new MapEntrySet(directory, new MapEntry(each, false)))
                .toList());
    }

    /** The partition with the largest range that begins where the number says, and that no other partition has. */
    private static Partition widest(CheckedPartitionRange range, Handle handle, List<Partition> others) throws Refused {
        int number = range.getNumber();
        int depth = Math.max(range.getDepth(), Integer.SIZE - Integer.numberOfLeadingZeros(number));
        while (depth < PartitionMap.MAX_DEPTH && isTaken(new Partition(number, depth, handle), others)) {
            depth++;
        }
        return PartitionMending.partition(number, depth, handle);
    }

    private static boolean isTaken(Partition partition, List<Partition> others) {
        return others.stream()
                .anyMatch(each -> each.number() == partition.number()
                        || each.has(partition.firstHash())
                        || partition.has(each.firstHash()));
    }
}
