package io.steadfs.mds.intent;

import com.google.protobuf.InvalidProtocolBufferException;
import io.steadfs.mds.intent.proto.PreparedRow;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.Rows;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.state.proto.LockRow;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.LockHierarchy;
import io.steadfs.wire.proto.PrepareAction;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What this shard holds for intents of other shards. This class also tells which prepares come too late. A prepare is
 * too late if its intent is below the coordinator's floor, or if this shard has finished its intent.
 */
public final class PreparedSlots {
    /** The highest number of slots that are held for one coordinator at a time. */
    public static final int MOST_OF_COORDINATOR = 10_000;

    /** The highest number of slots that one intent may have. */
    public static final int MOST_OF_INTENT = 1_000;

    private PreparedSlots() {}

    public static Optional<PreparedRow> find(ReadView view, SlotId id) {
        return view.get(ShardTables.INTENT, IntentKeys.prepared(id.coordinator(), id.intent(), id.slot()))
                .map(value -> decode(id, value));
    }

    /** Whether a prepare of the intent may still come. Once the answer is false, it stays false forever. */
    public static boolean isPossible(ReadView view, int coordinator, long intent) {
        return intent >= floor(view, coordinator)
                && view.get(ShardTables.INTENT, IntentKeys.finished(coordinator, intent))
                        .isEmpty();
    }

    /** The coordinator's floor: every intent of the coordinator with a lower number is closed. */
    public static long floor(ReadView view, int coordinator) {
        return view.get(ShardTables.INTENT, IntentKeys.floor(coordinator))
                .map(value -> Keys.longAt(value, 0))
                .orElse(1L);
    }

    /**
     * Intents of the coordinator that this shard finished, in rising order, but at most {@code limit}.
     *
     * @param from the lowest number of an intent to return
     * @param to the first number that is not returned any more
     */
    public static List<Long> finished(ReadView view, int coordinator, long from, long to, int limit) {
        List<Long> finished = new ArrayList<>();
        try (ReadView.Cursor cursor = view.scan(
                ShardTables.INTENT, IntentKeys.finished(coordinator, from), IntentKeys.finished(coordinator, to))) {
            while (finished.size() < limit && cursor.next()) {
                finished.add(Keys.longAt(cursor.key(), 1 + Long.BYTES));
            }
        }
        return finished;
    }

    /**
     * Returns the lowest intent that this shard finished for a coordinator; empty if this shard finished none. Looks at
     * the coordinators in rising order, and takes the first that has a finished intent.
     *
     * @param coordinator the lowest number of a coordinator to look at
     */
    public static Optional<SlotId> firstFinished(ReadView view, int coordinator) {
        byte[] end = Keys.endOf(Keys.of(IntentKeys.FINISHED));
        try (ReadView.Cursor cursor = view.scan(ShardTables.INTENT, IntentKeys.finished(coordinator, 0), end)) {
            return cursor.next()
                    ? Optional.of(new SlotId(
                            Math.toIntExact(Keys.longAt(cursor.key(), 1)),
                            Keys.longAt(cursor.key(), 1 + Long.BYTES),
                            0))
                    : Optional.empty();
        }
    }

    /** Number of slots that are held for one coordinator, counted by a scan. */
    static long count(ReadView view, int coordinator) {
        return Rows.count(view, ShardTables.INTENT, IntentKeys.preparedFor(coordinator));
    }

    /** All slots that this shard holds, in key order, but at most {@code limit}. */
    public static List<SlotId> all(ReadView view, int limit) {
        List<SlotId> slots = new ArrayList<>();
        byte[] first = Keys.of(IntentKeys.PREPARED);
        try (ReadView.Cursor cursor = view.scan(ShardTables.INTENT, first, Keys.endOf(first))) {
            while (slots.size() < limit && cursor.next()) {
                slots.add(id(cursor.key()));
            }
        }
        return slots;
    }

    /** The slot to which a row of the table belongs. Empty if the row has another shape. */
    public static Optional<SlotId> met(byte[] key) {
        boolean isSlot = key.length == 1 + 3 * Long.BYTES && key[0] == IntentKeys.PREPARED;
        return isSlot ? Optional.of(id(key)) : Optional.empty();
    }

    private static SlotId id(byte[] key) {
        return new SlotId(
                Math.toIntExact(Keys.longAt(key, 1)),
                Keys.longAt(key, 1 + Long.BYTES),
                Math.toIntExact(Keys.longAt(key, 1 + 2 * Long.BYTES)));
    }

    /** The moves of directories that are admitted, by their slots. Only shard 0 admits moves. */
    public static Map<SlotId, LockHierarchy> admittedMoves(ReadView view) {
        Map<SlotId, LockHierarchy> moves = new LinkedHashMap<>();
        byte[] first = Keys.of(IntentKeys.ADMITTED);
        try (ReadView.Cursor cursor = view.scan(ShardTables.INTENT, first, Keys.endOf(first))) {
            while (cursor.next()) {
                SlotId slot = id(cursor.key());
                find(view, slot)
                        .ifPresent(row -> moves.put(slot, action(slot, row).getLockHierarchy()));
            }
        }
        lockOfEarlierRelease(view).ifPresent(slot -> moves.put(slot, LockHierarchy.getDefaultInstance()));
        return moves;
    }

    /** The action that was prepared for the slot. */
    public static PrepareAction action(SlotId slot, PreparedRow row) {
        try {
            return PrepareAction.parseFrom(row.getAction());
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("what is prepared for " + slot + " cannot be decoded", e);
        }
    }

    /** The slot whose move an earlier release admitted; empty if there is none. */
    static Optional<SlotId> lockOfEarlierRelease(ReadView view) {
        return view.get(ShardTables.INTENT, IntentKeys.hierarchy()).map(value -> {
            try {
                return SlotId.of(LockRow.parseFrom(value));
            } catch (InvalidProtocolBufferException e) {
                throw new IllegalStateException("the hierarchy lock cannot be decoded", e);
            }
        });
    }

    private static PreparedRow decode(SlotId id, byte[] value) {
        try {
            return PreparedRow.parseFrom(value);
        } catch (InvalidProtocolBufferException e) {
            throw new IllegalStateException("the row of " + id + " cannot be decoded", e);
        }
    }
}
