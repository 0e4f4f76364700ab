package io.steadfs.mds.intent;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;
import java.util.List;

/**
 * No intent of the coordinator below the floor is open any more.
 *
 * @param below intents that were recorded one by one as finished, which the floor now covers
 */
public record FloorRaised(int coordinator, long floor, List<Long> below) implements LogRecord {
    public FloorRaised {
        below = List.copyOf(below);
    }

    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.INTENT, IntentKeys.floor(coordinator), Keys.of(floor));
        for (long intent : below) {
            view.delete(ShardTables.INTENT, IntentKeys.finished(coordinator, intent));
        }
    }
}
