package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/**
 * The session writes the metafile.
 *
 * @param path path of the file as the writer gave it; characters beyond {@link OpenFiles#MOST_PATH_CHARACTERS} are cut
 * @param openedMillis since 1970
 */
public record FileOpened(long session, Handle metafile, String path, long openedMillis) implements LogRecord {
    /** The session writes the metafile, but path and time are not known. */
    public FileOpened(long session, Handle metafile) {
        this(session, metafile, "", 0);
    }

    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.SESSION, OpenFiles.key(session, metafile), OpenFiles.value(path, openedMillis));
    }
}
