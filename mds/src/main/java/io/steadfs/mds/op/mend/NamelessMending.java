package io.steadfs.mds.op.mend;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.EntryCount;
import io.steadfs.mds.op.ground.ParticipantRows;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.FileType;
import io.steadfs.wire.proto.NewName;
import java.util.List;
import java.util.Optional;

/** Gives a name in a directory of this shard to an object that nobody can reach. The object may be on any shard. */
record NamelessMending(NewName request) implements Mending {
    @Override
    public Mended mend(Context context) throws Refused {
        Handle directory = new Handle(request.getDirectory());
        Handle object = new Handle(request.getObject());
        DirectoryRow row = ParticipantRows.directory(directory, context);
        DirentKey key = DirentKey.of(directory, request.getName());
        Optional<DirentRow> there = Dirents.find(context.view(), key);
        if (there.filter(found -> found.getHandle() == request.getObject()).isPresent()) {
            return Mended.of(List.of());
        }
        if (there.isPresent()) {
            throw new Refused(
                    FsError.ALREADY_EXISTS,
                    "'" + request.getName() + "' in directory " + directory + " is there already");
        }
        LogRecord name = request.getType() == FileType.DIRECTORY
                ? DirentSet.directory(key, object)
                : DirentSet.file(key, object);
        return Mended.of(List.of(name, EntryCount.changed(context, directory, row, key.hash(), 1)));
    }
}
