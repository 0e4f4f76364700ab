package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.LifeTables;
import io.steadfs.store.WriteView;

/**
 * Records that nobody may claim the metafile any more. Only needed for a metafile of an earlier life of the shard,
 * because its session could claim it again.
 */
public record ClaimLapsed(Handle metafile) implements LogRecord {
    private static final byte[] EMPTY = new byte[0];

    @Override
    public void replay(WriteView view) {
        view.put(LifeTables.CLAIM, Claims.endedKey(metafile), EMPTY);
    }

    @Override
    public boolean isVolatile() {
        return true;
    }
}
