package io.steadfs.mds.op.check;

import com.google.protobuf.ByteString;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.MetDirent;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.WholeDirectory;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.Maps;
import io.steadfs.wire.proto.CheckedEntry;
import io.steadfs.wire.proto.FileType;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Describes names for a check of the file system. Names of the same directory come one after another. So this class
 * remembers whether the directory of the previous name exists.
 */
final class EntryOnRecord {
    private final Context context;
    private Handle directory = Handle.NONE;
    private boolean isThere;
    /** The directory that users see. */
    private Handle parent = Handle.NONE;
    /** The entry of the directory in a map; empty if it has all names, or if the entry is lost. */
    private Optional<MapEntry> range = Optional.empty();

    /** Whether the directory has names only until a merge is over. */
    private boolean isStaged;

    EntryOnRecord(Context context) {
        this.context = context;
    }

    CheckedEntry of(byte[] key, byte[] value) {
        MetDirent met = MetDirent.of(key, value);
        CheckedEntry.Builder entry = CheckedEntry.newBuilder()
                .setDirectory(met.directory().value())
                .setParent(met.directory().value())
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
            look(met.directory());
            entry.setUnreachable(!isThere).setParent(parent.value());
            if (isStaged || range.filter(MapEntry::isStaged).isPresent()) {
                entry.setHeld(true);
            }
            if (range.filter(each -> !each.partition().has(DirentKey.hashIn(key)))
                    .isPresent()) {
                entry.setMisplaced("its hash is not of partition " + range.get().number() + " of directory " + parent)
                        .setOfOtherPartition(true);
            }
        }
        return entry.build();
    }

    private void look(Handle asked) {
        if (asked.equals(directory)) {
            return;
        }
        directory = asked;
        parent = asked;
        range = Optional.empty();
        isStaged = false;
        // The scan of objects reports a directory that cannot be read, and that of maps an entry.
        isThere = Unread.orElse(true, () -> {
            Optional<DirectoryRow> row = Directories.find(context.view(), asked);
            row.ifPresent(this::lookUpRange);
            return row.isPresent();
        });
    }

    private void lookUpRange(DirectoryRow row) {
        parent = WholeDirectory.of(directory, row);
        isStaged = row.getPartOf().getStaged();
        if (row.hasPartOf() || row.getSplit()) {
            range = Stream.concat(
                            Maps.entries(context.view(), parent).stream(), Maps.staged(context.view(), parent).stream())
                    .filter(each -> each.handle().equals(directory))
                    .findFirst();
        }
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
