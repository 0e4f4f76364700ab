package io.steadfs.mds.op.intent;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.HomeMap;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.Removal;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.proto.MapRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.wire.proto.HoldMap;
import io.steadfs.wire.proto.PrepareReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Holds an entry of a map of this shard for a hand over. No other hand over changes the entry meanwhile, and the directory
 * is not removed as an empty one. If it goes with all its names before the commit, the new partition goes with it.
 */
record HoldMapPart(HoldMap request) implements Participation {
    @Override
    public Held prepare(SlotId id, Context context) throws Refused {
        var unused = HomeMap.requireThere(directory(), context);
        try {
            var unusedParts = List.of(from(), given());
        } catch (IllegalArgumentException e) {
            throw new Refused(FsError.INVALID_ARGUMENT, String.valueOf(e.getMessage()));
        }
        MapEntry entry = HomeMap.requireEntry(directory(), from(), context);
        if (!request.getMoves()) {
            HomeMap.requireNew(directory(), given(), context);
        }
        return new Held(
                List.of(new MapEntrySet(directory(), entry.lockedBy(id.lock(), role()))),
                PrepareReply.getDefaultInstance());
    }

    @Override
    public List<LogRecord> commit(SlotId id, PrepareReply held, Context context) {
        List<LogRecord> records = new ArrayList<>();
        Optional<MapEntry> entry = locked(id, context);
        if (entry.isPresent()) {
            if (!request.getMoves()) {
                records.add(new MapEntrySet(directory(), new MapEntry(from().lowerHalf(), false)));
            }
            records.add(new MapEntrySet(directory(), new MapEntry(given(), false)));
        }
        boolean isGone = Directories.find(context.view(), directory()).isEmpty()
                || DeletionQueue.hasTree(context.view(), directory());
        if (isGone) {
            Removal.cutOff(given().handle(), context, records);
        }
        return records;
    }

    @Override
    public List<LogRecord> undo(SlotId id, PrepareReply held, Context context) {
        return locked(id, context).<LogRecord>map(entry -> new MapEntrySet(directory(), entry.unlocked())).stream()
                .toList();
    }

    private Optional<MapEntry> locked(SlotId id, Context context) {
        return HomeMap.held(directory(), from(), id.lock(), context);
    }

    private Handle directory() {
        return new Handle(request.getDirectory());
    }

    private Partition from() {
        return new Partition(request.getNumber(), request.getDepth(), new Handle(request.getHandle()));
    }

    private Partition given() {
        Handle names = new Handle(request.getGivenHandle());
        return request.getMoves()
                ? new Partition(request.getNumber(), request.getDepth(), names)
                : from().upperHalf(names);
    }

    private MapRow.Role role() {
        return request.getMoves() ? MapRow.Role.ENDS : MapRow.Role.GIVES;
    }
}
