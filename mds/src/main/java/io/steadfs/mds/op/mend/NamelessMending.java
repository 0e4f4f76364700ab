package io.steadfs.mds.op.mend;

import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.EntryCount;
import io.steadfs.mds.op.ground.ParticipantRows;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.WholeDirectory;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.NewName;
import java.util.List;
import java.util.Optional;

/**
 * Gives a name in a directory or partition of this shard to an object that nobody can reach, or moves a name here from
 * another partition. The object may be on any shard.
 */
record NamelessMending(NewName request) implements Mending {
    @Override
    public Mended mend(Context context) throws Refused {
        Handle directory = new Handle(request.getDirectory());
        Handle object = new Handle(request.getObject());
        DirectoryRow row = ParticipantRows.directory(directory, context);
        if (!DirectoryNode.hasOnePartition(row)) {
            throw new Refused(
                    FsError.NOT_SUPPORTED,
                    "directory " + directory + " has several partitions: move it away, so that another one is made");
        }
        DirentKey key = DirentKey.of(directory, request.getName());
        if (!WholeDirectory.has(key, row, context.view())) {
            throw Mending.stale("directory " + directory + " does not have the hash of '" + request.getName() + "'");
        }
        Optional<DirentRow> there = Dirents.find(context.view(), key);
        if (there.filter(found -> found.getHandle() == request.getObject()).isPresent()) {
            return Mended.of(List.of());
        }
        if (there.isPresent()) {
            throw new Refused(
                    FsError.ALREADY_EXISTS,
                    "'" + request.getName() + "' in directory " + directory + " is there already");
        }
        LogRecord name = request.getRow().isEmpty()
                ? request.getType() == FileType.DIRECTORY
                        ? DirentSet.directory(key, object)
                        : DirentSet.file(key, object)
                : new DirentSet(key, moved());
        return Mended.of(List.of(name, EntryCount.changed(context, key, row, 1)));
    }

    /** The row of the name at the place from where it moves. */
    private DirentRow moved() throws Refused {
        try {
            DirentRow row = DirentRow.parseFrom(request.getRow());
            if (row.getHandle() != request.getObject() || row.hasLock()) {
                throw Mending.stale("'" + request.getName() + "' leads to another object, or is held");
            }
            return row;
        } catch (InvalidProtocolBufferException e) {
            throw new Refused(FsError.INVALID_ARGUMENT, "the row of '" + request.getName() + "' cannot be read");
        }
    }
}
