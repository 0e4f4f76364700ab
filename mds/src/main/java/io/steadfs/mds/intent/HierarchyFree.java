package io.steadfs.mds.intent;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import io.steadfs.store.WriteView;

/**
 * Records that the move of the slot is not admitted any more.
 *
 * @param isOfEarlierRelease whether an earlier release admitted the move
 */
public record HierarchyFree(SlotId slot, boolean isOfEarlierRelease) implements LogRecord {
    public static HierarchyFree of(SlotId slot, ReadView view) {
        return new HierarchyFree(
                slot,
                PreparedSlots.lockOfEarlierRelease(view).filter(slot::equals).isPresent());
    }

    @Override
    public void replay(WriteView view) {
        view.delete(ShardTables.INTENT, isOfEarlierRelease ? IntentKeys.hierarchy() : IntentKeys.admitted(slot));
    }
}
