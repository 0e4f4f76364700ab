package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/**
 * The session writes the metafile.
 *
 * @param path of the file, as the writer says; more than {@link OpenFiles#MOST_PATH_CHARACTERS} are cut
 * @param openedMillis since 1970
 */
public record FileOpened(long session, Handle metafile, String path, long openedMillis) implements LogRecord {
    /** By somebody who said no path, at a time that nobody knows. */
    public FileOpened(long session, Handle metafile) {
        this(session, metafile, "", 0);
    }

    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.SESSION, OpenFiles.key(session, metafile), OpenFiles.value(path, openedMillis));
    }
}
