package io.steadfs.mds.intent;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/**
 * Records that this shard's intents skip all unused numbers below {@code next}. A check of the file system makes this
 * record if other shards hold something for an intent that this shard does not know.
 *
 * @param next number that the next intent gets; above the number of every intent so far
 */
public record IntentsSkipped(long next) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.INTENT, IntentKeys.next(), Keys.of(next));
    }
}
