package io.steadfs.mds.op.intent;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NewHandles;
import io.steadfs.mds.op.ground.NewPartition;
import io.steadfs.mds.op.ground.PartitionMerge;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.Removal;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.wire.proto.MergeNames;
import io.steadfs.wire.proto.PrepareReply;
import io.steadfs.wire.proto.TakePartition;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes the names of a partition that ends, for the partition of this shard that stays. Until the commit the names are in
 * a staged directory, and are no names. If the partition that stays is gone by then, they go with their directory.
 */
record MergeNamesPart(MergeNames request) implements Participation {
    @Override
    public Held prepare(SlotId id, Context context) throws Refused {
        context.requireRoom();
        PartitionMerge merge = PartitionMerge.of(request.getMerge());
        merge.requireRoom(request.getNamesCount(), context);
        boolean isHome = context.owns(merge.directory());
        if (isHome) {
            merge.requireMap(context);
        } else if (Maps.get(context.view(), merge.directory(), merge.ends().number())
                .isPresent()) {
            throw new Refused(FsError.BUSY, merge.ends() + " of directory " + merge.directory() + " is on record here");
        }
        NewHandles handles = new NewHandles(context);
        Handle staged = handles.take();
        List<LogRecord> records = new ArrayList<>(staged(staged, merge, context));
        records.add(handles.raised());
        records.add(merge.staysHeld(id.lock()));
        records.add(
                isHome
                        ? merge.endHeld(id.lock())
                        : new MapEntrySet(merge.directory(), new MapEntry(range(merge, staged), true)));
        return new Held(
                records, PrepareReply.newBuilder().addPartitions(staged.value()).build());
    }

    private static Partition range(PartitionMerge merge, Handle staged) {
        return new Partition(merge.ends().number(), merge.ends().depth(), staged);
    }

    private List<LogRecord> staged(Handle staged, PartitionMerge merge, Context context) throws Refused {
        List<LogRecord> records = new ArrayList<>();
        records.add(new NewPartition(merge.directory(), range(merge, staged), 0).row(true, context));
        records.add(new CountsSet(
                staged,
                DirectoryCounts.first(0).toBuilder()
                        .setEntries(request.getNamesCount())
                        .build()));
        for (TakePartition.Name each : request.getNamesList()) {
            records.add(TakePartitionPart.name(each, range(merge, staged)));
        }
        return records;
    }

    @Override
    public List<LogRecord> commit(SlotId id, PrepareReply held, Context context) {
        PartitionMerge merge = merge();
        Handle staged = new Handle(held.getPartitions(0));
        if (Directories.find(context.view(), staged).isEmpty()) {
            return List.of();
        }
        List<LogRecord> records = new ArrayList<>();
        Handle stays = merge.stays().handle();
        boolean isThere =
                Directories.find(context.view(), stays).isPresent() && !DeletionQueue.hasTree(context.view(), stays);
        if (!isThere) {
            Removal.cutOff(staged, context, records);
            return records;
        }
        try (DirentScan scan = Dirents.scan(context.view(), staged)) {
            while (scan.next()) {
                records.add(new DirentSet(scan.dirent().in(stays), scan.row()));
            }
        }
        Removal.staged(staged, context, records);
        records.addAll(merge.counted(
                CountsRow.newBuilder()
                        .setEntries(request.getNamesCount())
                        .setChanges(request.getChanges())
                        .setModificationTime(request.getModificationTime())
                        .build(),
                context));
        // A repair may have taken an entry away that could not be read. A check finds what the map lacks then.
        if (merge.isHeld(merge.stays(), id.lock(), context)) {
            records.add(merge.stayed());
        }
        records.add(merge.ended());
        return records;
    }

    @Override
    public List<LogRecord> undo(SlotId id, PrepareReply held, Context context) {
        PartitionMerge merge = merge();
        Handle staged = new Handle(held.getPartitions(0));
        List<LogRecord> records = new ArrayList<>();
        Removal.staged(staged, context, records);
        Maps.get(context.view(), merge.directory(), merge.ends().number())
                .filter(entry -> entry.handle().equals(staged))
                .ifPresent(entry -> records.add(merge.ended()));
        records.addAll(merge.released(id.lock(), context));
        return records;
    }

    private PartitionMerge merge() {
        return PartitionMerge.ofPrepared(request.getMerge());
    }
}
