package io.steadfs.mds.intent;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.Rows;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/**
 * Counts the slots that this shard holds for a coordinator. The count equals the number of the coordinator's rows in
 * {@link PreparedSlots}. The shard keeps the count so that a limit needs no scan.
 *
 * <pre>
 *  key    0x08, coordinator 8
 *  value  slots 8
 * </pre>
 *
 * If a coordinator has no count row, a scan counts its slots. The count row exists from the first change on, or from
 * the next start of the shard. A start of the shard also corrects the count row. Each decision changes the count row at
 * most once. An operation with a limit changes the count row with {@link #oneMore}. For all other operations the writer
 * changes the count row with {@link #rows}.
 *
 * <p>The writer computes its change from the records alone. Each SlotPrepared adds a row that did not exist. Each
 * SlotFinished removes a row that existed. If a salvage left a count that cannot be read or would fall below zero, the
 * writer counts the rows again.
 *
 * @param wrong describes a wrong count row in a text for people; empty if the count row was right
 */
public record SlotCount(int coordinator, long slots, Optional<String> wrong) {
    public static SlotCount of(ReadView view, int coordinator) {
        Optional<byte[]> row = view.get(ShardTables.INTENT, IntentKeys.slotCount(coordinator));
        if (row.isEmpty()) {
            return new SlotCount(coordinator, PreparedSlots.count(view, coordinator), Optional.empty());
        }
        Optional<Long> slots = decode(row.get());
        return slots.isPresent()
                ? new SlotCount(coordinator, slots.get(), Optional.empty())
                : recounted(view, coordinator, said(row.get()));
    }

    /**
     * Returns records that correct the counts of all coordinators; empty if all counts are right. Scans every counted
     * row once. A shard calls this method when it starts.
     */
    public static List<LogRecord> recounts(ReadView view) {
        Map<Long, Long> held = Rows.countEach(view, ShardTables.INTENT, IntentKeys.PREPARED);
        SortedSet<Long> coordinators = new TreeSet<>(held.keySet());
        coordinators.addAll(
                Rows.countEach(view, ShardTables.INTENT, IntentKeys.SLOT_COUNT).keySet());
        List<LogRecord> records = new ArrayList<>();
        for (long each : coordinators) {
            int coordinator = Math.toIntExact(each);
            long slots = held.getOrDefault(each, 0L);
            Optional<byte[]> row = view.get(ShardTables.INTENT, IntentKeys.slotCount(coordinator));
            if (row.isEmpty() || !decode(row.get()).equals(Optional.of(slots))) {
                records.add(new SlotsCounted(
                        coordinator,
                        slots,
                        row.map(value -> "the count of slots held for shard " + coordinator + " " + said(value)
                                + " when the shard starts; counted one by one it is " + slots)));
            }
        }
        return records;
    }

    /** The count; empty if the bytes are not a valid count. */
    private static Optional<Long> decode(byte[] value) {
        return value.length == Long.BYTES && Keys.longAt(value, 0) >= 0
                ? Optional.of(Keys.longAt(value, 0))
                : Optional.empty();
    }

    private static String said(byte[] value) {
        return value.length == Long.BYTES
                ? "says " + Keys.longAt(value, 0)
                : "has " + value.length + " bytes, not " + Long.BYTES;
    }

    /** Returns a record of the count with one more slot. For an operation that adds a slot that is not held yet. */
    public SlotsCounted oneMore() {
        return new SlotsCounted(coordinator, slots + 1, wrong);
    }

    /**
     * Returns the count rows that the records change and do not contain yet. The writer adds the returned records to
     * the batch.
     */
    public static List<LogRecord> rows(List<LogRecord> records, ReadView before) {
        Map<Integer, Integer> deltas = new LinkedHashMap<>();
        for (LogRecord each : records) {
            if (each instanceof SlotPrepared prepared) {
                deltas.merge(prepared.id().coordinator(), 1, Integer::sum);
            } else if (each instanceof SlotFinished finished) {
                deltas.merge(finished.id().coordinator(), -1, Integer::sum);
            }
        }
        if (!deltas.isEmpty()) {
            for (LogRecord each : records) {
                if (each instanceof SlotsCounted counted) {
                    deltas.remove(counted.coordinator());
                }
            }
        }
        List<LogRecord> rows = new ArrayList<>(deltas.size());
        deltas.forEach((coordinator, delta) -> {
            if (delta != 0) {
                rows.add(changed(coordinator, delta, records, before));
            }
        });
        return rows;
    }

    private static SlotsCounted changed(int coordinator, int delta, List<LogRecord> records, ReadView view) {
        SlotCount before = of(view, coordinator);
        if (before.slots + delta >= 0 && before.wrong.isEmpty()) {
            return new SlotsCounted(coordinator, before.slots + delta, Optional.empty());
        }
        SlotCount counted = before.wrong.isPresent()
                ? before
                : recounted(view, coordinator, "says " + before.slots + ", which cannot change by " + delta);
        return new SlotsCounted(coordinator, counted.slots + looked(coordinator, records, view), counted.wrong);
    }

    /** Returns by how much the records change the count. Looks at the counted rows, and not at the count row. */
    private static long looked(int coordinator, List<LogRecord> records, ReadView view) {
        Map<SlotId, Boolean> slots = new LinkedHashMap<>();
        for (LogRecord each : records) {
            if (each instanceof SlotPrepared prepared && prepared.id().coordinator() == coordinator) {
                slots.put(prepared.id(), true);
            } else if (each instanceof SlotFinished finished && finished.id().coordinator() == coordinator) {
                slots.put(finished.id(), false);
            }
        }
        long more = 0;
        for (Map.Entry<SlotId, Boolean> each : slots.entrySet()) {
            if (each.getValue() != PreparedSlots.find(view, each.getKey()).isPresent()) {
                more += each.getValue() ? 1 : -1;
            }
        }
        return more;
    }

    private static SlotCount recounted(ReadView view, int coordinator, String why) {
        long slots = PreparedSlots.count(view, coordinator);
        return new SlotCount(
                coordinator,
                slots,
                Optional.of("the count of slots held for shard " + coordinator + " " + why
                        + "; counted one by one it was " + slots));
    }
}
