package io.steadfs.mds.intent;

import io.steadfs.mds.state.proto.LockRow;

/**
 * Identifies one prepare of one intent, in all messages and rows.
 *
 * @param coordinator the shard that drives the intent
 * @param intent number of the intent at its coordinator
 * @param slot number of the slot, from 0
 */
public record SlotId(int coordinator, long intent, int slot) {
    /** The content of a locked row, which names the slot that holds the lock. */
    public LockRow lock() {
        return LockRow.newBuilder()
                .setCoordinator(coordinator)
                .setIntent(intent)
                .setSlot(slot)
                .build();
    }

    public boolean isOfSameIntent(SlotId other) {
        return coordinator == other.coordinator && intent == other.intent;
    }

    public static SlotId of(LockRow lock) {
        return new SlotId(lock.getCoordinator(), lock.getIntent(), lock.getSlot());
    }

    @Override
    public String toString() {
        return "slot " + slot + " of intent " + intent + " of shard " + coordinator;
    }
}
