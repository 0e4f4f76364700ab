package io.steadfs.mds.intent;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/**
 * No intent begins below this number any more, because other shards hold something for an intent that this shard does not
 * know.
 *
 * @param next is above the number of every intent so far
 */
public record IntentsSkipped(long next) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.INTENT, IntentKeys.next(), Keys.of(next));
    }
}
