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
import io.steadfs.mds.op.ground.DirectoryPartitions;
import io.steadfs.mds.op.ground.WholeDirectory;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.wire.proto.CheckedEntry;
import io.steadfs.wire.proto.FileType;
import java.util.List;
import java.util.Optional;

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
    /** The entries of a map that lead to the directory; none if it has all names, or if they are lost. */
    private List<MapEntry> ranges = List.of();

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
            if (isStaged || ranges.stream().anyMatch(MapEntry::isStaged)) {
                entry.setHeld(true);
            }
            long hash = DirentKey.hashIn(key);
            if (!ranges.isEmpty()
                    && ranges.stream().noneMatch(each -> each.partition().has(hash))) {
                entry.setMisplaced(
                                "its hash is not of partition " + ranges.get(0).number() + " of directory " + parent)
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
        ranges = List.of();
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
        ranges = DirectoryPartitions.entries(context.view(), directory, row);
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
