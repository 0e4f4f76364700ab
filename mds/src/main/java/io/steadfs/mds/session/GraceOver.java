package io.steadfs.mds.session;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.LifeTables;
import io.steadfs.store.WriteView;

/** Records that every live session had the time to claim its metafiles again. */
public record GraceOver() implements LogRecord {
    private static final byte[] EMPTY = new byte[0];

    @Override
    public void replay(WriteView view) {
        view.put(LifeTables.CLAIM, Keys.of(Claims.GRACE_OVER), EMPTY);
    }

    @Override
    public boolean isVolatile() {
        return true;
    }
}
