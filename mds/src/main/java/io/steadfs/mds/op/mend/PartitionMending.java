package io.steadfs.mds.op.mend;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.directory.proto.PartOf;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.DirectoryPartitions;
import io.steadfs.mds.op.ground.ParticipantRows;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.WholeDirectory;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntryGone;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.wire.proto.CheckedPartitionRange;
import io.steadfs.wire.proto.MendPartition;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes a partition of this shard say what the map of its directory says, or makes it a directory that is no partition.
 */
record PartitionMending(MendPartition request) implements Mending {
    private static final int MODE = 0700;

    @Override
    public Mended mend(Context context) throws Refused {
        Handle handle = new Handle(request.getPartition());
        DirectoryRow row = ParticipantRows.directory(handle, context);
        if (row.hasLock()) {
            throw ParticipantRows.busy("directory " + handle, row.getLock());
        }
        if (row.hasGiving()) {
            throw WholeDirectory.isGiving(handle);
        }
        if (!row.hasPartOf() && !request.hasRange()) {
            throw Mending.stale("directory " + handle + " is no partition");
        }
        List<LogRecord> records = new ArrayList<>();
        if (DirectoryPartitions.isHeld(new DirectoryNode(handle, row), context)) {
            throw WholeDirectory.isGiving(handle);
        }
        if (row.hasPartOf()) {
            Handle before = new Handle(row.getPartOf().getDirectory());
            DirectoryPartitions.entries(context.view(), handle, row)
                    .forEach(each -> records.add(new MapEntryGone(before, each.number())));
        }
        if (request.hasRange()) {
            CheckedPartitionRange range = request.getRange();
            for (Partition each : partitions(range, handle)) {
                records.add(new MapEntrySet(new Handle(range.getDirectory()), new MapEntry(each, false)));
            }
            records.add(new DirectorySet(
                    handle,
                    row.toBuilder()
                            .setParent(range.getDirectory())
                            .setPartOf(PartOf.newBuilder()
                                    .setDirectory(range.getDirectory())
                                    .setPartition(range.getNumber()))
                            .build()));
        } else {
            String owner = context.principal().user();
            records.add(new DirectorySet(
                    handle,
                    row.toBuilder()
                            .clearPartOf()
                            .setMode(MODE)
                            .setOwner(owner)
                            .setGroup(owner)
                            .build()));
        }
        return Mended.of(records);
    }

    /** All partitions that are in one directory. */
    static List<Partition> partitions(CheckedPartitionRange range, Handle handle) throws Refused {
        List<Partition> partitions = new ArrayList<>();
        partitions.add(partition(range.getNumber(), range.getDepth(), handle));
        for (CheckedPartitionRange.Other each : range.getOthersList()) {
            partitions.add(partition(each.getNumber(), each.getDepth(), handle));
        }
        return partitions;
    }

    /** @throws Refused INVALID_ARGUMENT if no partition can have this range */
    static Partition partition(int number, int depth, Handle handle) throws Refused {
        try {
            return new Partition(number, depth, handle);
        } catch (IllegalArgumentException e) {
            throw new Refused(FsError.INVALID_ARGUMENT, String.valueOf(e.getMessage()));
        }
    }
}
