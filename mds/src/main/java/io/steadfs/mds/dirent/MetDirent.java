package io.steadfs.mds.dirent;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.state.Keys;
import java.util.Arrays;
import java.util.Optional;

/**
 * A row of the dirent table, readable or not, for a check of the file system.
 *
 * @param row the decoded row; empty if the bytes are not a valid row
 * @param unreadable why the row cannot be read; empty if the row can be read
 * @param isFound whether a lookup of the name in the directory finds this row
 */
public record MetDirent(Handle directory, String name, Optional<DirentRow> row, String unreadable, boolean isFound) {
    public static MetDirent of(byte[] key, byte[] value) {
        if (key.length < DirentKey.NAME_AT) {
            return new MetDirent(Handle.NONE, "", Optional.empty(), "a key of " + key.length + " bytes", false);
        }
        Handle directory = new Handle(Keys.longAt(key, 0));
        String name = DirentKey.nameIn(key);
        boolean isFound = Arrays.equals(DirentKey.of(directory, name).bytes(), key);
        try {
            DirentRow row = Dirents.decode(key, value);
            if (row.hasSymlink() != (row.getType() == EntryType.ENTRY_SYMLINK)) {
                String what =
                        row.hasSymlink() ? "a target, and is no symbolic link" : "a symbolic link without a target";
                return new MetDirent(directory, name, Optional.empty(), what, isFound);
            }
            return new MetDirent(directory, name, Optional.of(row), "", isFound);
        } catch (IllegalStateException e) {
            return new MetDirent(directory, name, Optional.empty(), String.valueOf(e.getMessage()), isFound);
        }
    }
}
