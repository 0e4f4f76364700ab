package io.steadfs.mds.session;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/**
 * Records that nobody claims a metafile below this handle again, for one of these reasons:
 *
 * <ul>
 *   <li>The shard stopped in order. The metafiles that were claimed then have a durable writer.
 *   <li>The shard gave out no handle before.
 *   <li>The store was salvaged or is an older state. Then it may have lost sessions, and cannot know which sessions may
 *       still claim a metafile.
 * </ul>
 *
 * @param first the first handle to which this does not apply
 */
public record ClaimsForfeited(Handle first) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.META, Claims.forfeitKey(), Keys.of(first.value()));
    }
}
