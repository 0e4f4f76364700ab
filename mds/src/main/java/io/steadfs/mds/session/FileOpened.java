package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/**
 * Records that the session writes the metafile.
 *
 * @param path path of the file as the writer gave it; at most {@link OpenFiles#MOST_PATH_CHARACTERS} characters are
 *     kept
 * @param openedMillis milliseconds since 1970; 0 = unknown
 */
public record FileOpened(long session, Handle metafile, String path, long openedMillis) implements LogRecord {
    /** Records that the session writes the metafile, with unknown path and unknown time. */
    public FileOpened(long session, Handle metafile) {
        this(session, metafile, "", 0);
    }

    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.SESSION, OpenFiles.key(session, metafile), OpenFiles.value(path, openedMillis));
    }
}
