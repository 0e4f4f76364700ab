package io.steadfs.mds.intent;

import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/**
 * Records that the intent was opened or got more slots. From now on the coordinator may send prepares for the slots.
 *
 * @param next number that the next new intent gets
 */
public record IntentOpened(long number, IntentRow row, long next) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.INTENT, IntentKeys.intent(number), row.toByteArray());
        view.put(ShardTables.INTENT, IntentKeys.request(row.getSession(), row.getRequestId()), Keys.of(number));
        view.put(ShardTables.INTENT, IntentKeys.next(), Keys.of(next));
    }
}
