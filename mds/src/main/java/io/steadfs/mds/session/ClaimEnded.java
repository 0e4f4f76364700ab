package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.LifeTables;
import io.steadfs.store.WriteView;

/** Records that the session no longer claims the metafile. */
public record ClaimEnded(long session, Handle metafile) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.delete(LifeTables.CLAIM, Claims.key(session, metafile));
    }

    @Override
    public boolean isVolatile() {
        return true;
    }
}
