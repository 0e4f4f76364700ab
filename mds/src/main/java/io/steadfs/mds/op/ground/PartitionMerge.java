package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.layout.DirectoryHints;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntryGone;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.partition.proto.MapRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.proto.LockRow;
import io.steadfs.mds.xattr.Xattrs;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.wire.proto.Merge;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Two partitions of a directory become one again (docs/decisions/0033-partitions.md, rule 6). The partition with the upper
 * half of the hashes ends.
 *
 * @param directory the directory that users see
 * @param ends the partition that ends
 * @param stays the partition that stays, as it is before
 */
public record PartitionMerge(Handle directory, Partition ends, Partition stays, PartitionLimits limits) {
    /** @throws Refused INVALID_ARGUMENT if the message makes no sense */
    public static PartitionMerge of(Merge merge) throws Refused {
        try {
            Partition ends = new Partition(merge.getNumber(), merge.getDepth(), new Handle(merge.getEnds()));
            return of(
                    new Handle(merge.getDirectory()),
                    ends,
                    new Handle(merge.getStays()),
                    new PartitionLimits((int) merge.getEntries(), merge.getPerShard(), 0));
        } catch (IllegalArgumentException e) {
            throw new Refused(FsError.INVALID_ARGUMENT, String.valueOf(e.getMessage()));
        }
    }

    /** The merge for which something was prepared, so that its message made sense. */
    public static PartitionMerge ofPrepared(Merge merge) {
        try {
            return of(merge);
        } catch (Refused e) {
            throw new IllegalStateException("a merge was prepared that makes no sense", e);
        }
    }

    /**
     * @param stays the directory with the names of the partition that stays
     * @throws IllegalArgumentException if the partition has the lower half of the hashes
     */
    public static PartitionMerge of(Handle directory, Partition ends, Handle stays, PartitionLimits limits) {
        if (!ends.isUpperHalf()) {
            throw new IllegalArgumentException(ends + " ends with no merge");
        }
        return new PartitionMerge(directory, ends, new Partition(ends.lowerNumber(), ends.depth(), stays), limits);
    }

    public Merge toProto() {
        return Merge.newBuilder()
                .setDirectory(directory.value())
                .setNumber(ends.number())
                .setDepth(ends.depth())
                .setEnds(ends.handle().value())
                .setStays(stays.handle().value())
                .setEntries(limits.entries())
                .setPerShard(limits.perShard())
                .build();
    }

    private Partition merged() {
        return new Partition(stays.number(), stays.depth() - 1, stays.handle());
    }

    /** Whether the directory has one partition then. */
    public boolean isOneThen() {
        return stays.depth() == 1;
    }

    /**
     * Refuses if the partition that stays cannot take the names. This shard must have it.
     *
     * @param names number of names that come
     */
    public void requireRoom(int names, Context context) throws Refused {
        DirectoryRow row = ParticipantRows.directory(stays.handle(), context);
        if (row.hasLock()) {
            throw ParticipantRows.busy("directory " + stays.handle(), row.getLock());
        }
        if (row.hasGiving() || DeletionQueue.hasTree(context.view(), stays.handle())) {
            throw WholeDirectory.isGiving(stays.handle());
        }
        var unusedStays = HomeMap.requireEntry(directory, stays, context);
        long entries = DirectoryNode.entries(context.view(), stays.handle()) + names;
        if (entries > limits.entries() / 2) {
            throw new Refused(
                    FsError.TOO_LARGE,
                    "both partitions have " + entries + " names; they are merged if they have " + limits.entries() / 2
                            + " at most");
        }
    }

    /** Refuses if the home shard, which is this one, must not change the map. */
    public void requireMap(Context context) throws Refused {
        DirectoryRow row = HomeMap.requireThere(directory, context);
        var unusedEnds = HomeMap.requireEntry(directory, ends, context);
        var unusedStays = HomeMap.requireEntry(directory, stays, context);
        if (ends.depth() <= expectedSplits(new DirectoryNode(directory, row), context)) {
            throw new Refused(
                    FsError.NOT_SUPPORTED,
                    "directory " + directory + " has more partitions because of " + DirectoryHints.EXPECTED_FILES);
        }
    }

    private int expectedSplits(DirectoryNode node, Context context) {
        Optional<byte[]> hint = node.xattrs() == 0
                ? Optional.empty()
                : Xattrs.find(context.view(), directory, DirectoryHints.EXPECTED_FILES);
        try {
            return hint.isEmpty()
                    ? 0
                    : limits.splits(
                            DirectoryHints.parse(new String(hint.get(), StandardCharsets.UTF_8)),
                            SpreadShards.of(directory, context));
        } catch (IllegalArgumentException e) {
            return 0;
        }
    }

    /** Holds the entry of the partition that stays. */
    public LogRecord staysHeld(LockRow slot) {
        return new MapEntrySet(directory, new MapEntry(stays, false).lockedBy(slot, MapRow.Role.STAYS));
    }

    /** Holds the entry of the partition that ends. */
    public LogRecord endHeld(LockRow slot) {
        return new MapEntrySet(directory, new MapEntry(ends, false).lockedBy(slot, MapRow.Role.ENDS));
    }

    /** Whether the slot holds the entry of a partition. */
    public boolean isHeld(Partition partition, LockRow slot, Context context) {
        return HomeMap.held(directory, partition, slot, context).isPresent();
    }

    /** The entries that the slot held, free. */
    public List<LogRecord> released(LockRow slot, Context context) {
        return Stream.of(ends, stays)
                .flatMap(each -> HomeMap.held(directory, each, slot, context).stream())
                .<LogRecord>map(entry -> new MapEntrySet(directory, entry.unlocked()))
                .toList();
    }

    /** The entry of the partition that stays when the merge is over. There is none if it is the only partition. */
    public LogRecord stayed() {
        return isOneThen()
                ? new MapEntryGone(directory, stays.number())
                : new MapEntrySet(directory, new MapEntry(merged(), false));
    }

    /** The partition that ends has no entry any more. */
    public LogRecord ended() {
        return new MapEntryGone(directory, ends.number());
    }

    /**
     * The partition that stays counts the names, too. If it is the only one then, the directory has one partition.
     *
     * @param counts what the partition that ends counts
     */
    public List<LogRecord> counted(CountsRow counts, Context context) {
        CountsRow own = DirectoryNode.partition(context.view(), stays.handle());
        long changes = own.getChanges() + counts.getChanges();
        long time = Math.max(own.getModificationTime(), counts.getModificationTime());
        List<LogRecord> records = new ArrayList<>();
        if (isOneThen()) {
            DirectoryRow row = Directories.find(context.view(), stays.handle()).orElseThrow();
            if (row.hasTimeSet() && row.getTimeSet().getChanges() == changes) {
                time = row.getTimeSet().getTime();
            }
            records.add(new DirectorySet(
                    stays.handle(),
                    row.toBuilder().setSplit(false).clearTimeSet().clearGiving().build()));
        }
        records.add(new CountsSet(
                stays.handle(),
                DirectoryCounts.first(time).toBuilder()
                        .setEntries(own.getEntries() + counts.getEntries())
                        .setChanges(changes)
                        .build()));
        return records;
    }
}
