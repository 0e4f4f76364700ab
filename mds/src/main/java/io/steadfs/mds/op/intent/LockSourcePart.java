package io.steadfs.mds.op.intent;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.EntryCount;
import io.steadfs.mds.op.ground.NamedObject;
import io.steadfs.mds.op.ground.ParticipantRows;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.WholeDirectory;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.LockSource;
import io.steadfs.wire.proto.PrepareReply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Holds the dirent of a name that moves to the coordinator's shard. Nobody can change a held name. A read of a held
 * name asks the coordinator whether the name still exists. The commit removes the dirent.
 */
record LockSourcePart(LockSource request) implements Participation {
    @Override
    public Held prepare(SlotId id, Context context) throws Refused {
        Handle directory = new Handle(request.getDirectory());
        DirectoryRow row = ParticipantRows.directory(directory, context);
        DirentKey key = DirentKey.of(directory, request.getName());
        if (!WholeDirectory.has(key, row, context.view())) {
            throw new Refused(FsError.STALE_START, key + " is in another partition: begin at the root again");
        }
        WholeDirectory.requireNotGiven(key, row);
        DirentRow dirent = Dirents.find(context.view(), key)
                .orElseThrow(() -> new Refused(
                        FsError.NOT_FOUND,
                        "'" + request.getName() + "' in directory " + directory + " does not exist"));
        if (dirent.hasLock()) {
            throw ParticipantRows.busy(key.toString(), dirent.getLock());
        }
        NamedObject object = NamedObject.of(dirent, request.getName());
        PrepareReply.Builder reply = PrepareReply.newBuilder()
                .setAttributes(new DirectoryNode(WholeDirectory.of(directory, row), row).attributes(0, 0))
                .setOfPartition(row.hasPartOf())
                .setObject(dirent.getHandle())
                .setObjectType(object.type());
        object.symlink().ifPresent(link -> reply.setLink(link.attributes()));
        return new Held(
                List.of(new DirentSet(key, dirent.toBuilder().setLock(id.lock()).build())), reply.build());
    }

    @Override
    public List<LogRecord> commit(SlotId id, PrepareReply held, Context context) {
        List<LogRecord> records = new ArrayList<>();
        DirentKey key = key();
        if (locked(key, id, context).isPresent()) {
            records.add(new DirentGone(key));
            Handle directory = new Handle(request.getDirectory());
            if (Directories.find(context.view(), directory).isPresent()) {
                records.add(EntryCount.counted(context, directory, -1));
            }
        }
        return records;
    }

    @Override
    public List<LogRecord> undo(SlotId id, PrepareReply held, Context context) {
        DirentKey key = key();
        return locked(key, id, context)
                .<LogRecord>map(
                        row -> new DirentSet(key, row.toBuilder().clearLock().build()))
                .stream()
                .toList();
    }

    private DirentKey key() {
        return DirentKey.of(new Handle(request.getDirectory()), request.getName());
    }

    private static Optional<DirentRow> locked(DirentKey key, SlotId id, Context context) {
        return Dirents.find(context.view(), key)
                .filter(row -> row.hasLock() && SlotId.of(row.getLock()).equals(id));
    }
}
