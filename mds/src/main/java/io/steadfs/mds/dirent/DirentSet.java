package io.steadfs.mds.dirent;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.proto.DirentRow;
import io.steadfs.mds.dirent.proto.EntryType;
import io.steadfs.mds.dirent.proto.SymlinkRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** Records that the name exists and leads to the object in the row. */
public record DirentSet(DirentKey key, DirentRow row) implements LogRecord {
    public static DirentSet file(DirentKey key, Handle metafile) {
        return of(key, metafile, EntryType.ENTRY_FILE);
    }

    public static DirentSet directory(DirentKey key, Handle directory) {
        return of(key, directory, EntryType.ENTRY_DIRECTORY);
    }

    /** @param handle names the link, and nothing else: all of a symbolic link is in its dirent */
    public static DirentSet symlink(DirentKey key, Handle handle, SymlinkRow link) {
        return new DirentSet(
                key,
                DirentRow.newBuilder()
                        .setHandle(handle.value())
                        .setType(EntryType.ENTRY_SYMLINK)
                        .setSymlink(link)
                        .build());
    }

    private static DirentSet of(DirentKey key, Handle handle, EntryType type) {
        return new DirentSet(
                key,
                DirentRow.newBuilder().setHandle(handle.value()).setType(type).build());
    }

    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.DIRENT, key.bytes(), row.toByteArray());
    }
}
