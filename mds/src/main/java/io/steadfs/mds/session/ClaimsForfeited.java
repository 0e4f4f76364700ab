package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/**
 * Records that nobody claims a metafile of an earlier life again. A store that was salvaged, or that is an older state,
 * may have lost sessions. Then it cannot know which sessions may still claim a metafile.
 *
 * @param first the first handle to which this does not apply
 */
public record ClaimsForfeited(Handle first) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.META, Claims.forfeitKey(), Keys.of(first.value()));
    }
}
