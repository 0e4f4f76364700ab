package io.steadfs.mds.op.intent;

import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.DirectoryGone;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NewHandles;
import io.steadfs.mds.op.ground.NewPartition;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.partition.CountsGone;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntryGone;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.wire.proto.PrepareReply;
import io.steadfs.wire.proto.TakePartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes a partition with the names that another shard gives. Until the commit the partition is staged: nobody uses it,
 * and its names are no names.
 */
record TakePartitionPart(TakePartition request) implements Participation {
    @Override
    public Held prepare(SlotId id, Context context) throws Refused {
        context.requireRoom();
        if (Maps.get(context.view(), directory(), request.getNumber()).isPresent()) {
            throw new Refused(
                    FsError.BUSY,
                    "partition " + request.getNumber() + " of directory " + directory() + " is on record already");
        }
        NewHandles handles = new NewHandles(context);
        Partition partition = partition(handles.take());
        List<LogRecord> records =
                new ArrayList<>(new NewPartition(directory(), partition, request.getPathDepth(), request.getShards())
                        .records(true, context));
        for (TakePartition.Name each : request.getNamesList()) {
            records.add(name(each, partition));
        }
        records.add(new CountsSet(
                partition.handle(),
                DirectoryCounts.first(0).toBuilder()
                        .setEntries(request.getNamesCount())
                        .build()));
        records.add(handles.raised());
        return new Held(
                records,
                PrepareReply.newBuilder()
                        .addPartitions(partition.handle().value())
                        .build());
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
        return own(held, context)
                .<LogRecord>map(entry -> new MapEntrySet(directory(), new MapEntry(entry.partition(), false)))
                .stream()
                .toList();
    }

    @Override
    public List<LogRecord> undo(SlotId id, PrepareReply held, Context context) {
        List<LogRecord> records = new ArrayList<>();
        Optional<MapEntry> entry = own(held, context);
        if (entry.isPresent()) {
            gone(entry.get().handle(), context, records);
            records.add(new MapEntryGone(directory(), request.getNumber()));
        }
        return records;
    }

    /** Removes a staged directory with its names, which are no names. */
    static void gone(Handle staged, Context context, List<LogRecord> records) {
        try (DirentScan scan = Dirents.scan(context.view(), staged)) {
            while (scan.next()) {
                records.add(new DirentGone(scan.dirent()));
            }
        }
        records.add(new DirectoryGone(staged));
        records.add(new CountsGone(staged));
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
