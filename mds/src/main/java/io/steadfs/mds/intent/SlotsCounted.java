package io.steadfs.mds.intent;

import io.steadfs.mds.record.CountRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;
import java.util.Optional;

/** Records how many slots this shard holds for intents of the coordinator. */
public record SlotsCounted(int coordinator, long slots, Optional<String> wrong) implements CountRecord {
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
