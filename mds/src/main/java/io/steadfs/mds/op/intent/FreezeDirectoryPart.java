package io.steadfs.mds.op.intent;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.Emptiness;
import io.steadfs.mds.op.ground.ParticipantRows;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.Removal;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.FreezeDirectory;
import io.steadfs.wire.proto.PrepareReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Holds a directory empty while the coordinator removes the directory's name. The commit removes the directory. */
record FreezeDirectoryPart(FreezeDirectory request) implements Participation {
    @Override
    public Held prepare(SlotId id, Context context) throws Refused {
        Handle directory = new Handle(request.getDirectory());
        DirectoryRow row = ParticipantRows.directory(directory, context);
        if (directory.equals(Handle.ROOT)) {
            throw new Refused(FsError.INVALID_ARGUMENT, "the root directory cannot be removed");
        }
        if (row.hasLock()) {
            throw ParticipantRows.busy("directory " + directory, row.getLock());
        }
        Emptiness.require(
                new DirectoryNode(directory, row),
                "directory " + directory,
                context,
                lock -> lock.getCoordinator() == id.coordinator() && lock.getIntent() == id.intent());
        return new Held(
                List.of(new DirectorySet(
                        directory, row.toBuilder().setLock(id.lock()).build())),
                PrepareReply.newBuilder()
                        .setAttributes(new DirectoryNode(directory, row).attributes(context.view(), false))
                        .build());
    }

    @Override
    public List<LogRecord> commit(SlotId id, PrepareReply held, Context context) {
        List<LogRecord> records = new ArrayList<>();
        locked(id, context)
                .ifPresent(row -> Removal.emptyDirectory(new DirectoryNode(handle(), row), context.view(), records));
        return records;
    }

    @Override
    public List<LogRecord> undo(SlotId id, PrepareReply held, Context context) {
        return locked(id, context)
                .<LogRecord>map(row ->
                        new DirectorySet(handle(), row.toBuilder().clearLock().build()))
                .stream()
                .toList();
    }

    private Handle handle() {
        return new Handle(request.getDirectory());
    }

    private Optional<DirectoryRow> locked(SlotId id, Context context) {
        return Directories.find(context.view(), handle())
                .filter(row -> row.hasLock() && SlotId.of(row.getLock()).equals(id));
    }
}
