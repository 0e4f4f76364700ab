package io.steadfs.mds.intent;

import io.steadfs.mds.intent.proto.IntentRow;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/**
 * The intent was opened or got more slots. Prepares for its slots may be sent from now on.
 *
 * @param next number of the next intent
 */
public record IntentOpened(long number, IntentRow row, long next) implements LogRecord {
    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.INTENT, IntentKeys.intent(number), row.toByteArray());
        view.put(ShardTables.INTENT, IntentKeys.request(row.getSession(), row.getRequestId()), Keys.of(number));
        view.put(ShardTables.INTENT, IntentKeys.next(), Keys.of(next));
    }
}
