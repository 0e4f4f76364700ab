package io.steadfs.mds.op.mend;

import com.google.protobuf.ByteString;
import io.steadfs.error.FsError;
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
import io.steadfs.mds.op.ground.WholeDirectory;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.MendName;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Repairs a name: removes the name, or stores it where a lookup finds it, with the right type of its object. If the
 * right place is taken, the name is removed. After a removal, a later check finds that the object has no name. All of a
 * symbolic link is in its name: if its place is taken, it stays, and the answer is ALREADY_EXISTS.
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
        if (Directories.find(context.view(), met.directory())
                .filter(DirectoryRow::hasGiving)
                .isPresent()) {
            throw WholeDirectory.isGiving(met.directory());
        }
        if (request.getLook()) {
            return new Mended(List.of(), row.toByteString());
        }
        List<LogRecord> records = new ArrayList<>();
        records.add(new StrayDirentGone(ByteString.copyFrom(key)));
        if (!request.getKeep()) {
            counted(met.directory(), -1, context).ifPresent(records::add);
            return Mended.of(records);
        }
        DirentKey right = right(DirentKey.of(met.directory(), met.name()), context);
        boolean isMoved = !met.isFound() || !right.directory().equals(met.directory());
        Optional<DirentRow> taken = isMoved ? Dirents.find(context.view(), right) : Optional.empty();
        if (!context.owns(right.directory()) || taken.isPresent()) {
            if (row.hasSymlink() && taken.filter(row::equals).isEmpty()) {
                throw new Refused(
                        FsError.ALREADY_EXISTS, "another name has the place of '" + met.name() + "', a symbolic link");
            }
            counted(met.directory(), -1, context).ifPresent(records::add);
            return Mended.of(records);
        }
        if (!right.directory().equals(met.directory())) {
            counted(met.directory(), -1, context).ifPresent(records::add);
            counted(right.directory(), 1, context).ifPresent(records::add);
        }
        records.add(
                row.hasSymlink()
                        ? new DirentSet(right, row)
                        : request.getType() == FileType.DIRECTORY
                                ? DirentSet.directory(right, new Handle(row.getHandle()))
                                : DirentSet.file(right, new Handle(row.getHandle())));
        return Mended.of(records);
    }

    /**
     * The name in the partition where a lookup on this shard looks for it.
     *
     * @throws Refused STALE_VERSION if that is on another shard, or nobody knows where
     */
    private static DirentKey right(DirentKey key, Context context) throws Refused {
        if (!context.owns(key.directory())) {
            return key;
        }
        Optional<DirectoryRow> row = Directories.find(context.view(), key.directory());
        if (row.isEmpty() || !(row.get().hasPartOf() || row.get().getSplit())) {
            return key;
        }
        return Maps.find(context.view(), WholeDirectory.of(key.directory(), row.get()), key.hash())
                .filter(entry -> context.owns(entry.handle()))
                .map(entry -> key.in(entry.handle()))
                .orElseThrow(() -> Mending.stale("no partition of this shard has the hash of '" + key.name() + "'"));
    }

    /** The record that changes the directory's number of names; empty if this shard does not count the names. */
    private static Optional<LogRecord> counted(Handle directory, int more, Context context) {
        Optional<DirectoryRow> row =
                context.owns(directory) ? Directories.find(context.view(), directory) : Optional.empty();
        Optional<CountsRow> partition = row.flatMap(unused -> DirectoryCounts.find(context.view(), directory));
        return partition.map(old -> new CountsSet(
                directory,
                old.toBuilder()
                        .setEntries(Math.max(0, old.getEntries() + more))
                        .setChanges(old.getChanges() + 1)
                        .setModificationTime(context.now())
                        .build()));
    }
}
