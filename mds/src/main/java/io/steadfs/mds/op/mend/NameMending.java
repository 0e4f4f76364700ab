package io.steadfs.mds.op.mend;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.MetDirent;
import io.steadfs.mds.dirent.StrayDirentGone;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.ParticipantRows;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.partition.PartitionSet;
import io.steadfs.mds.partition.Partitions;
import io.steadfs.mds.partition.proto.PartitionRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.MendName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Repairs a name: removes the name, or stores it where a lookup finds it, with the right type of its object. If the
 * right place is taken or is on another shard, the name is removed. After a removal, a later check finds that the
 * object has no name.
 */
record NameMending(MendName request) implements Mending {
    @Override
    public Mended mend(Context context) throws Refused {
        byte[] key = request.getKey().toByteArray();
        MetDirent met = context.view()
                .get(ShardTables.DIRENT, key)
                .map(value -> MetDirent.of(key, value))
                .orElseThrow(() -> Mending.stale("the name is not there"));
        DirentRow row = met.row()
                .filter(found -> found.getHandle() == request.getObject())
                .orElseThrow(() ->
                        Mending.stale("'" + met.name() + "' does not lead to " + new Handle(request.getObject())));
        if (row.hasLock()) {
            throw ParticipantRows.busy("'" + met.name() + "'", row.getLock());
        }
        List<LogRecord> records = new ArrayList<>();
        records.add(new StrayDirentGone(ByteString.copyFrom(key)));
        DirentKey right = DirentKey.of(met.directory(), met.name());
        boolean isTaken = !met.isFound() && Dirents.find(context.view(), right).isPresent();
        if (!request.getKeep() || !context.owns(met.directory()) || isTaken) {
            uncounted(met.directory(), context).ifPresent(records::add);
            return Mended.of(records);
        }
        records.add(
                row.hasSymlink()
                        ? new DirentSet(right, row)
                        : request.getType() == FileType.DIRECTORY
                                ? DirentSet.directory(right, new Handle(row.getHandle()))
                                : DirentSet.file(right, new Handle(row.getHandle())));
        return Mended.of(records);
    }

    /** The record that lowers the directory's number of names by one; empty if this shard does not count the names. */
    private static Optional<LogRecord> uncounted(Handle directory, Context context) {
        Optional<DirectoryRow> row =
                context.owns(directory) ? Directories.find(context.view(), directory) : Optional.empty();
        Optional<PartitionRow> partition = row.flatMap(unused -> Partitions.find(context.view(), directory, 0));
        return partition.map(old -> new PartitionSet(
                directory,
                0,
                old.toBuilder()
                        .setEntries(Math.max(0, old.getEntries() - 1))
                        .setModificationTime(context.now())
                        .build()));
    }
}
