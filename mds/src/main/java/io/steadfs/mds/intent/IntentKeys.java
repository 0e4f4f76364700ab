package io.steadfs.mds.intent;

import io.steadfs.mds.state.Keys;

/** Keys of the table "intent", as drawn in {@link io.steadfs.mds.state.ShardTables}. */
final class IntentKeys {
    static final byte INTENT = 0x01;
    static final byte REQUEST = 0x02;
    static final byte PREPARED = 0x03;
    static final byte FINISHED = 0x04;
    static final byte FLOOR = 0x05;
    private static final byte HIERARCHY = 0x06;
    private static final byte NEXT = 0x07;
    static final byte SLOT_COUNT = 0x08;
    static final byte ADMITTED = 0x09;

    private IntentKeys() {}

    static byte[] intent(long number) {
        return Keys.of(INTENT, number);
    }

    static byte[] request(long session, long requestId) {
        return Keys.of(REQUEST, session, requestId);
    }

    static byte[] prepared(int coordinator, long intent, int slot) {
        return Keys.of(PREPARED, coordinator, intent, slot);
    }

    /** The lowest key of the slots of this intent and of later intents of the coordinator. */
    static byte[] prepared(int coordinator, long intent) {
        return Keys.of(PREPARED, coordinator, intent);
    }

    static byte[] finished(int coordinator, long intent) {
        return Keys.of(FINISHED, coordinator, intent);
    }

    static byte[] floor(int coordinator) {
        return Keys.of(FLOOR, coordinator);
    }

    /** The move that an earlier release admitted, which admitted one at a time. */
    static byte[] hierarchy() {
        return Keys.of(HIERARCHY);
    }

    static byte[] admitted(SlotId slot) {
        return Keys.of(ADMITTED, slot.coordinator(), slot.intent(), slot.slot());
    }

    static byte[] next() {
        return Keys.of(NEXT);
    }

    static byte[] slotCount(int coordinator) {
        return Keys.of(SLOT_COUNT, coordinator);
    }

    /** Prefix of the keys of all slots that are held for a coordinator. */
    static byte[] preparedFor(int coordinator) {
        return Keys.of(PREPARED, coordinator);
    }
}
