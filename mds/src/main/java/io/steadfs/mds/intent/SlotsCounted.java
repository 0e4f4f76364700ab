package io.steadfs.mds.intent;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;

/** So many slots are held for intents of the coordinator. */
public record SlotsCounted(int coordinator, long slots) implements LogRecord {
    public SlotsCounted {
        if (slots < 0) {
            throw new IllegalStateException(slots + " slots would be held for shard " + coordinator);
        }
    }

    @Override
    public void replay(WriteView view) {
        view.put(ShardTables.INTENT, IntentKeys.slotCount(coordinator), Keys.of(slots));
    }
}
