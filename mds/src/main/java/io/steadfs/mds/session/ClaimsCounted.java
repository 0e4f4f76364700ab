package io.steadfs.mds.session;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.LifeTables;
import io.steadfs.store.WriteView;

/** Records the number of metafiles that a session claims. */
public record ClaimsCounted(long session, long count) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        if (count == 0) {
            view.delete(LifeTables.CLAIM, Claims.countKey(session));
        } else {
            view.put(LifeTables.CLAIM, Claims.countKey(session), Keys.of(count));
        }
    }

    @Override
    public boolean isVolatile() {
        return true;
    }
}
