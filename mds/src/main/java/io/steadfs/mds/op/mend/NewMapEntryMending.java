package io.steadfs.mds.op.mend;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.ParticipantRows;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.Maps;
import io.steadfs.partition.PartitionMap;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.wire.proto.CheckedPartitionRange;
import io.steadfs.wire.proto.NewMapEntry;
import java.util.List;

/** Makes the map of a directory of this shard lead to a partition, if no other partition has one of its hashes. */
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
        Partition partition = request.getRange().getDepthUnknown()
                ? widest(request.getRange().getNumber(), handle, others)
                : PartitionMending.partition(request.getRange(), handle);
        if (isTaken(partition, others)) {
            throw Mending.stale("other partitions of directory " + directory + " have hashes of " + partition.number());
        }
        return Mended.of(List.of(new MapEntrySet(directory, new MapEntry(partition, false))));
    }

    /** The partition with the largest range that begins where the number says, and that no other partition has. */
    private static Partition widest(int number, Handle handle, List<Partition> others) throws Refused {
        int depth = Integer.SIZE - Integer.numberOfLeadingZeros(number);
        while (depth < PartitionMap.MAX_DEPTH && isTaken(new Partition(number, depth, handle), others)) {
            depth++;
        }
        return PartitionMending.partition(
                CheckedPartitionRange.newBuilder()
                        .setNumber(number)
                        .setDepth(depth)
                        .build(),
                handle);
    }

    private static boolean isTaken(Partition partition, List<Partition> others) {
        return others.stream()
                .anyMatch(each -> each.number() == partition.number()
                        || each.has(partition.firstHash())
                        || partition.has(each.firstHash()));
    }
}
