package io.steadfs.mds.op.intent;

import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.HomeMap;
import io.steadfs.mds.op.ground.NewHandles;
import io.steadfs.mds.op.ground.NewPartition;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.Removal;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntryGone;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.partition.proto.MapRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.wire.proto.PrepareReply;
import io.steadfs.wire.proto.TakePartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Makes a partition with the names that another shard gives. Until the commit the partition is staged: nobody uses it,
 * and its names are no names.
 */
record TakePartitionPart(TakePartition request) implements Participation {
    @Override
    public Held prepare(SlotId id, Context context) throws Refused {
        context.requireRoom();
        requireIdle(context);
        NewHandles handles = new NewHandles(context);
        Partition partition = partition(handles.take());
        requireLess(partition, context);
        NewPartition made = new NewPartition(directory(), partition, request.getPathDepth());
        List<LogRecord> records = new ArrayList<>();
        if (takesOwn(context)) {
            var unused = HomeMap.requireThere(directory(), context);
            MapEntry entry = HomeMap.requireEntry(directory(), before(), context);
            records.add(new MapEntrySet(directory(), entry.lockedBy(id.lock(), MapRow.Role.ENDS)));
            records.add(made.row(true, context));
        } else {
            requireFree(partition, context);
            records.addAll(made.records(true, context));
        }
        for (TakePartition.Name each : request.getNamesList()) {
            records.add(name(each, partition));
        }
        records.add(new CountsSet(
                partition.handle(),
                DirectoryCounts.first(request.getModificationTime()).toBuilder()
                        .setEntries(request.getNamesCount())
                        .setChanges(request.getChanges())
                        .build()));
        records.add(handles.raised());
        return new Held(
                records,
                PrepareReply.newBuilder()
                        .addPartitions(partition.handle().value())
                        .build());
    }

    /**
     * Refuses with BUSY if another attempt has made the partition, or is about to. Of the same attempt, the home shard hears
     * only later that it holds the entry from which the partition is split. So a prepare that comes late, after another
     * attempt began, makes nothing.
     */
    private void requireFree(Partition partition, Context context) throws Refused {
        HomeMap.requireNew(directory(), partition, context);
        if (context.owns(directory())) {
            Optional<MapEntry> lower = Maps.get(context.view(), directory(), partition.lowerNumber());
            if (lower.isPresent()) {
                HomeMap.requireFree(lower.get());
            }
        }
    }

    /** Refuses with BUSY if names are given because many are made, and this shard makes many, too. */
    private void requireIdle(Context context) throws Refused {
        double here = context.inputs().namesPerSecond();
        if (request.getRate() > 0 && here > request.getRate() / 2.0) {
            throw new Refused(
                    FsError.BUSY,
                    "this shard makes " + Math.round(here) + " names a second, more than half of " + request.getRate());
        }
    }

    /**
     * Refuses with BUSY if this shard would have more of the directory than the giving shard keeps. Several shards may give
     * at once, each by the same map, and each sees that this shard has little.
     */
    private void requireLess(Partition partition, Context context) throws Refused {
        long here = Stream.concat(
                        Maps.entries(context.view(), directory()).stream(),
                        Maps.staged(context.view(), directory()).stream())
                .filter(each -> context.owns(each.handle()) || isMoving(each))
                .mapToLong(each -> each.partition().share())
                .sum();
        if (request.getKept() > 0 && here + partition.share() > request.getKept()) {
            throw new Refused(
                    FsError.BUSY,
                    "this shard got other names of directory " + directory() + " meanwhile and has enough");
        }
    }

    /** Whether the partition leaves another shard. It may be on its way to the home shard, which alone has such entries. */
    private static boolean isMoving(MapEntry entry) {
        return entry.lock().isPresent() && entry.role() == MapRow.Role.ENDS;
    }

    /** Whether the partition moves to the home shard of its directory, which has its entry already. */
    private boolean takesOwn(Context context) {
        return request.getFrom() != 0 && context.owns(directory());
    }

    /** The partition as the map has it before it moves. */
    private Partition before() throws Refused {
        return partition(new Handle(request.getFrom()));
    }

    private Partition partition(Handle handle) throws Refused {
        try {
            return new Partition(request.getNumber(), request.getDepth(), handle);
        } catch (IllegalArgumentException e) {
            throw new Refused(FsError.INVALID_ARGUMENT, String.valueOf(e.getMessage()));
        }
    }

    /**
     * The name at this shard.
     *
     * @throws Refused INVALID_ARGUMENT if it is held, or is not of the partition
     */
    static DirentSet name(TakePartition.Name name, Partition partition) throws Refused {
        DirentKey key = DirentKey.of(partition.handle(), name.getName());
        try {
            DirentRow row = DirentRow.parseFrom(name.getRow());
            if (row.hasLock() || !partition.has(key.hash())) {
                throw new Refused(FsError.INVALID_ARGUMENT, key + " is held, or is not of " + partition);
            }
            return new DirentSet(key, row);
        } catch (InvalidProtocolBufferException e) {
            throw new Refused(FsError.INVALID_ARGUMENT, "the row of " + key + " cannot be read");
        }
    }

    @Override
    public List<LogRecord> commit(SlotId id, PrepareReply held, Context context) {
        if (takesOwn(context)) {
            return commitOwn(id, new Handle(held.getPartitions(0)), context);
        }
        return own(held, context)
                .<LogRecord>map(entry -> new MapEntrySet(directory(), new MapEntry(entry.partition(), false)))
                .stream()
                .toList();
    }

    /** The entry leads to the names here. If the directory has gone with all its names, they go, too. */
    private List<LogRecord> commitOwn(SlotId id, Handle names, Context context) {
        Optional<DirectoryRow> row = Directories.find(context.view(), names);
        if (row.isEmpty()) {
            return List.of();
        }
        List<LogRecord> records = new ArrayList<>();
        boolean isGone = Directories.find(context.view(), directory()).isEmpty()
                || DeletionQueue.hasTree(context.view(), directory());
        if (isGone) {
            Removal.cutOff(names, context, records);
            return records;
        }
        Optional<MapEntry> entry = locked(id, context);
        if (entry.isPresent()) {
            Partition moved = new Partition(request.getNumber(), request.getDepth(), names);
            records.add(new MapEntrySet(directory(), new MapEntry(moved, false)));
        }
        DirectoryRow.Builder here = row.get().toBuilder();
        here.getPartOfBuilder().setStaged(false);
        records.add(new DirectorySet(names, here.build()));
        return records;
    }

    private Optional<MapEntry> locked(SlotId id, Context context) {
        return Maps.get(context.view(), directory(), request.getNumber())
                .filter(entry -> entry.lock().equals(Optional.of(id.lock())));
    }

    @Override
    public List<LogRecord> undo(SlotId id, PrepareReply held, Context context) {
        List<LogRecord> records = new ArrayList<>();
        Removal.staged(new Handle(held.getPartitions(0)), context, records);
        if (takesOwn(context)) {
            locked(id, context).ifPresent(entry -> records.add(new MapEntrySet(directory(), entry.unlocked())));
        } else if (own(held, context).isPresent()) {
            records.add(new MapEntryGone(directory(), request.getNumber()));
        }
        return records;
    }

    /** The entry of the partition, if it is still as it was prepared. */
    private Optional<MapEntry> own(PrepareReply held, Context context) {
        return Maps.get(context.view(), directory(), request.getNumber())
                .filter(entry -> entry.handle().value() == held.getPartitions(0));
    }

    private Handle directory() {
        return new Handle(request.getDirectory());
    }
}
