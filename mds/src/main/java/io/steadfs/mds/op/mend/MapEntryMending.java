package io.steadfs.mds.op.mend;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.HomeMap;
import io.steadfs.mds.op.ground.NewHandles;
import io.steadfs.mds.op.ground.NewPartition;
import io.steadfs.mds.op.ground.ParticipantRows;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntryGone;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.partition.MetMapEntry;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.wire.proto.MendMapEntry;
import java.util.ArrayList;
import java.util.List;

/**
 * Removes an entry from a map. Or has all entries that lead to a lost directory lead to an empty one. An entry beside the
 * home shard goes only if its partition is not there.
 */
record MapEntryMending(MendMapEntry request) implements Mending {
    @Override
    public Mended mend(Context context) throws Refused {
        byte[] key = request.getKey().toByteArray();
        MetMapEntry met = context.view()
                .get(ShardTables.MAP, key)
                .map(value -> MetMapEntry.of(key, value))
                .orElseThrow(() -> Mending.stale("the entry is not there"));
        MapEntry entry = met.entry()
                .filter(found -> found.handle().value() == request.getPartition())
                .orElseThrow(() -> Mending.stale("the entry leads elsewhere, or cannot be read"));
        LogRecord gone = new MapEntryGone(met.directory(), met.number());
        if (!context.owns(met.directory())) {
            boolean isRight = context.owns(entry.handle()) && isThere(entry.handle(), context);
            return Mended.of(isRight ? List.of() : List.of(gone));
        }
        HomeMap.requireFree(entry);
        if (!request.getReplace() || !isThere(met.directory(), context)) {
            return Mended.of(List.of(gone));
        }
        if (isThere(entry.handle(), context)) {
            throw Mending.stale("directory " + entry.handle() + " is there");
        }
        DirectoryRow row = ParticipantRows.directory(met.directory(), context);
        if (row.hasLock()) {
            throw ParticipantRows.busy("directory " + met.directory(), row.getLock());
        }
        NewHandles handles = new NewHandles(context);
        Partition partition = new Partition(met.number(), entry.partition().depth(), handles.take());
        List<LogRecord> records =
                new ArrayList<>(new NewPartition(met.directory(), partition, row.getDepth()).records(false, context));
        records.add(handles.raised());
        Maps.entries(context.view(), met.directory()).stream()
                .filter(each -> each.handle().equals(entry.handle()) && each.number() != met.number())
                .map(each -> new Partition(each.number(), each.partition().depth(), partition.handle()))
                .forEach(each -> records.add(new MapEntrySet(met.directory(), new MapEntry(each, false))));
        return Mended.of(records);
    }

    private static boolean isThere(Handle directory, Context context) {
        return Directories.find(context.view(), directory).isPresent();
    }
}
