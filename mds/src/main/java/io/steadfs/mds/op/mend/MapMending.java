package io.steadfs.mds.op.mend;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.directory.proto.PartOf;
import io.steadfs.mds.intent.Intents;
import io.steadfs.mds.op.check.ObjectOnRecord;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryPartitions;
import io.steadfs.mds.op.ground.HomeMap;
import io.steadfs.mds.op.ground.NewHandles;
import io.steadfs.mds.op.ground.NewPartition;
import io.steadfs.mds.op.ground.ParticipantRows;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.WholeDirectory;
import io.steadfs.mds.partition.Givings;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntryGone;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.partition.PartitionMap.Partition;
import java.util.ArrayList;
import java.util.List;

/**
 * Makes the map of a directory of this shard whole. A mark that the directory or partition gives names goes first, if it
 * does not. So does a mark that an operation prepared a partition, if no operation did. Of two entries with the same hash, the one with the higher first hash goes. Where hashes are left out, the
 * directory gets an empty partition; the lowest hashes are the directory's own. If all is in one partition then, the
 * directory has no map.
 */
record MapMending(Handle directory) implements Mending {
    @Override
    public Mended mend(Context context) throws Refused {
        DirectoryRow row = ParticipantRows.directory(directory, context);
        if (row.hasLock()) {
            throw ParticipantRows.busy("directory " + directory, row.getLock());
        }
        if (row.hasGiving()) {
            return Mended.of(List.of(withoutMark(row, context)));
        }
        if (row.hasPartOf()) {
            return Mended.of(owned(row, context));
        }
        List<MapEntry> entries = Maps.entries(context.view(), directory);
        for (MapEntry each : entries) {
            HomeMap.requireFree(each);
        }
        boolean isRight = row.getSplit() ? Maps.damage(directory, entries).isEmpty() : entries.isEmpty();
        if (isRight) {
            return Mended.of(List.of());
        }
        List<LogRecord> records = new ArrayList<>();
        List<Partition> kept = new ArrayList<>();
        List<Partition> made = new ArrayList<>();
        long next = 0;
        boolean isAtEnd = false;
        for (MapEntry each : entries) {
            Partition partition = each.partition();
            if (isAtEnd || Long.compareUnsigned(partition.firstHash(), next) < 0) {
                records.add(new MapEntryGone(directory, partition.number()));
                continue;
            }
            if (partition.firstHash() != next) {
                addHole(next, partition.firstHash() - 1, made);
            }
            kept.add(partition);
            next = partition.lastHash() + 1;
            isAtEnd = next == 0;
        }
        if (!isAtEnd) {
            addHole(next, -1L, made);
        }
        fill(made, row, context, records);
        boolean isSplit = kept.size() + made.size() > 1;
        if (!isSplit) {
            kept.forEach(each -> records.add(new MapEntryGone(directory, each.number())));
        }
        records.add(
                new DirectorySet(directory, row.toBuilder().setSplit(isSplit).build()));
        return Mended.of(records);
    }

    /** The row without the mark that the directory gives names, if that is not so. */
    private LogRecord withoutMark(DirectoryRow row, Context context) throws Refused {
        if (Givings.isThere(context.view(), directory)
                || Intents.ofRequest(context.view(), 0, directory.value()).isPresent()) {
            throw WholeDirectory.isGiving(directory);
        }
        return new DirectorySet(directory, row.toBuilder().clearGiving().build());
    }

    /** The partition without the mark that an operation prepared it, if no operation did. */
    private List<LogRecord> owned(DirectoryRow row, Context context) throws Refused {
        if (new ObjectOnRecord(context).isHeld(directory)) {
            throw new Refused(FsError.BUSY, "directory " + directory + " is held by an operation; try again");
        }
        List<LogRecord> records = new ArrayList<>();
        PartOf partOf = row.getPartOf();
        records.add(new DirectorySet(
                directory,
                row.toBuilder().setPartOf(partOf.toBuilder().setStaged(false)).build()));
        DirectoryPartitions.entries(context.view(), directory, row)
                .forEach(each -> records.add(
                        new MapEntrySet(new Handle(partOf.getDirectory()), new MapEntry(each.partition(), false))));
        return records;
    }

    /** Adds the fewest partitions that have all hashes from the first to the last one. */
    private void addHole(long first, long last, List<Partition> made) {
        long from = first;
        boolean isOpen = true;
        while (isOpen) {
            int depth = 0;
            while (Long.compareUnsigned(from | rest(depth), last) > 0 || (from & rest(depth)) != 0) {
                depth++;
            }
            made.add(new Partition((int) Long.reverse(from), depth, directory));
            long end = from | rest(depth);
            isOpen = end != last;
            from = end + 1;
        }
    }

    /** The bits of a hash that a partition at this depth does not fix. */
    private static long rest(int depth) {
        return -1L >>> depth;
    }

    private void fill(List<Partition> made, DirectoryRow row, Context context, List<LogRecord> records) throws Refused {
        NewHandles handles = new NewHandles(context);
        for (Partition each : made) {
            if (each.number() > 0) {
                Partition partition = new Partition(each.number(), each.depth(), handles.take());
                records.addAll(new NewPartition(directory, partition, row.getDepth()).records(false, context));
            } else if (each.depth() > 0) {
                records.add(new MapEntrySet(directory, new MapEntry(each, false)));
            }
        }
        records.add(handles.raised());
    }
}
