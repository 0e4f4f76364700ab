package io.steadfs.mds.intent;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;
import java.util.List;

/**
 * Records that all intents of the coordinator below the floor are closed.
 *
 * @param floor the lowest number of an intent that may still be open
 * @param below intents below the floor that were recorded one by one as finished; the floor replaces their rows
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
