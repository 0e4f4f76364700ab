package io.steadfs.mds.op.check;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.dirent.MetDirent;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.wire.proto.CheckedEntry;
import io.steadfs.wire.proto.FileType;

/**
 * Describes names for a check of the file system. Names of the same directory come one after another. So this class
 * remembers whether the directory of the previous name exists.
 */
final class EntryOnRecord {
    private final Context context;
    private Handle directory = Handle.NONE;
    private boolean isThere;

    EntryOnRecord(Context context) {
        this.context = context;
    }

    CheckedEntry of(byte[] key, byte[] value) {
        MetDirent met = MetDirent.of(key, value);
        CheckedEntry.Builder entry = CheckedEntry.newBuilder()
                .setDirectory(met.directory().value())
                .setName(met.name())
                .setUnreadable(met.unreadable())
                .setKey(ByteString.copyFrom(key));
        if (met.row().isEmpty()) {
            return entry.build();
        }
        DirentRow row = met.row().get();
        entry.setObject(row.getHandle()).setType(type(row.getType())).setHeld(row.hasLock());
        if (!context.owns(met.directory())) {
            entry.setMisplaced(
                    "its directory is not on shard " + context.inputs().shard());
        } else if (!met.isFound()) {
            entry.setMisplaced("its hash is not the name's");
        } else {
            entry.setUnreachable(!isThere(met.directory()));
        }
        return entry.build();
    }

    private boolean isThere(Handle asked) {
        if (!asked.equals(directory)) {
            directory = asked;
            isThere = look(asked);
        }
        return isThere;
    }

    private boolean look(Handle asked) {
        // The scan of objects reports a directory that cannot be read.
        return Unread.orElse(true, () -> Directories.find(context.view(), asked).isPresent());
    }

    private static FileType type(EntryType type) {
        return switch (type) {
            case ENTRY_FILE -> FileType.FILE;
            case ENTRY_DIRECTORY -> FileType.DIRECTORY;
            case ENTRY_SYMLINK -> FileType.SYMLINK;
            default -> FileType.FILE_TYPE_UNSPECIFIED;
        };
    }
}
