package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.LifeTables;
import io.steadfs.store.WriteView;

/**
 * Records where this life of the shard begins.
 *
 * @param first the first handle that this life may give out
 */
public record LifeBegun(Handle first) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(LifeTables.CLAIM, Keys.of(Claims.FIRST), Keys.of(first.value()));
    }

    @Override
    public boolean isVolatile() {
        return true;
    }
}
