package io.steadfs.mds.intent;

import io.steadfs.mds.state.proto.LockRow;

/**
 * One prepare of one intent, the same wherever it is spoken of.
 *
 * @param coordinator shard that drives the intent
 * @param intent its number there
 * @param slot from 0
 */
public record SlotId(int coordinator, long intent, int slot) {
    /** What a locked row says of its holder. */
    public LockRow lock() {
        return LockRow.newBuilder()
                .setCoordinator(coordinator)
                .setIntent(intent)
                .setSlot(slot)
                .build();
    }

    public static SlotId of(LockRow lock) {
        return new SlotId(lock.getCoordinator(), lock.getIntent(), lock.getSlot());
    }

    @Override
    public String toString() {
        return "slot " + slot + " of intent " + intent + " of shard " + coordinator;
    }
}
