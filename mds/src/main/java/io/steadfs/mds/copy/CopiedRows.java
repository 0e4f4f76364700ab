package io.steadfs.mds.copy;

import io.steadfs.handle.Handle;
import io.steadfs.layout.ProtocolName;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.dirent.MetDirent;
import io.steadfs.mds.dirent.StrayDirentGone;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.xattr.XattrGone;
import io.steadfs.mds.xattr.XattrSet;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Finds the rows with copies that records change: names of directories that go, lead elsewhere or become held, and owner,
 * group, mode and create protocol of directories. A new name is no such row, because no copy says that a name does not exist. Rows below a
 * name that goes are none either: who uses them needs the name too.
 */
final class CopiedRows {
    private CopiedRows() {}

    /** @param before the state that the records change */
    static List<CopyKey> changedBy(List<LogRecord> records, ReadView before) {
        List<CopyKey> changed = new ArrayList<>();
        for (LogRecord each : records) {
            if (each instanceof DirentGone gone) {
                directory(before, gone.key()).ifPresent(row -> changed.add(keyOf(gone.key())));
            } else if (each instanceof StrayDirentGone stray) {
                met(before, stray.key().toByteArray())
                        .ifPresent(met -> changed.add(new CopyKey(met.directory(), met.name())));
            } else if (each instanceof DirentSet set) {
                directory(before, set.key())
                        .filter(row -> isOther(row, set.row()))
                        .ifPresent(row -> changed.add(keyOf(set.key())));
            } else if (each instanceof DirectorySet set) {
                Directories.find(before, set.handle())
                        .filter(row -> isOther(row, set.row()))
                        .ifPresent(row -> changed.add(CopyKey.ofRow(set.handle())));
            } else if (each instanceof XattrSet set) {
                hint(before, set.object(), set.name()).ifPresent(changed::add);
            } else if (each instanceof XattrGone gone) {
                hint(before, gone.object(), gone.name()).ifPresent(changed::add);
            }
        }
        return changed;
    }

    /** What a lookup finds under the key, if that leads to a directory. */
    private static Optional<MetDirent> met(ReadView view, byte[] key) {
        return view.get(ShardTables.DIRENT, key)
                .map(value -> MetDirent.of(key, value))
                .filter(MetDirent::isFound)
                .filter(met -> met.row()
                        .filter(row -> row.getType() == EntryType.ENTRY_DIRECTORY)
                        .isPresent());
    }

    private static CopyKey keyOf(DirentKey key) {
        return new CopyKey(key.directory(), key.name());
    }

    /** The dirent, if it leads to a directory. */
    private static Optional<DirentRow> directory(ReadView view, DirentKey key) {
        return Dirents.find(view, key).filter(row -> row.getType() == EntryType.ENTRY_DIRECTORY);
    }

    /** The row with the attribute, if copies of it have the attribute. */
    private static Optional<CopyKey> hint(ReadView before, Handle object, String name) {
        return name.equals(ProtocolName.HINT)
                        && Directories.find(before, object)
                                .filter(DirectoryRow::getSplit)
                                .isPresent()
                ? Optional.of(CopyKey.ofRow(object))
                : Optional.empty();
    }

    private static boolean isOther(DirentRow before, DirentRow after) {
        return before.getHandle() != after.getHandle()
                || before.getType() != after.getType()
                || (after.hasLock() && !before.hasLock());
    }

    private static boolean isOther(DirectoryRow before, DirectoryRow after) {
        return before.getMode() != after.getMode()
                || !before.getOwner().equals(after.getOwner())
                || !before.getGroup().equals(after.getGroup())
                || before.getSplit() != after.getSplit();
    }
}
