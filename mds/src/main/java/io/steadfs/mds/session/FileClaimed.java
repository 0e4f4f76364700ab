package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.LifeTables;
import io.steadfs.store.WriteView;

/**
 * Records that the session claims an untouched metafile.
 *
 * @param path path of the file as the writer gave it; at most {@link Claims#MOST_PATH_CHARACTERS} characters are kept
 * @param openedMillis milliseconds since 1970; 0 = unknown
 */
public record FileClaimed(long session, Handle metafile, String path, long openedMillis) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(
                LifeTables.CLAIM,
                Claims.key(session, metafile),
                OpenFiles.value(path.substring(0, Math.min(path.length(), Claims.MOST_PATH_CHARACTERS)), openedMillis));
    }

    @Override
    public boolean isVolatile() {
        return true;
    }
}
