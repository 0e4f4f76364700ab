package io.steadfs.mds.intent;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How many slots this shard holds for each coordinator: its rows of {@link PreparedSlots}, kept so that a limit costs no
 * scan.
 *
 * <pre>
 *  key    0x08, coordinator 8
 *  value  slots 8
 * </pre>
 *
 * A coordinator without the row has what a scan counts; the row is there from the first change on.
 */
public final class SlotCount {
    private SlotCount() {}

    public static long of(ReadView view, int coordinator) {
        return view.get(ShardTables.INTENT, IntentKeys.slotCount(coordinator))
                .map(value -> decode(coordinator, value))
                .orElseGet(() -> PreparedSlots.count(view, coordinator));
    }

    /** Records of the counts that change with these; for the writer. */
    public static List<LogRecord> changes(List<LogRecord> records, ReadView before) {
        Map<SlotId, Boolean> slots = new LinkedHashMap<>();
        for (LogRecord each : records) {
            if (each instanceof SlotPrepared prepared) {
                slots.put(prepared.id(), true);
            } else if (each instanceof SlotFinished finished) {
                slots.put(finished.id(), false);
            }
        }
        Map<Integer, Long> counts = new LinkedHashMap<>();
        slots.forEach((id, isThere) -> {
            if (isThere != PreparedSlots.find(before, id).isPresent()) {
                long count =
                        Optional.ofNullable(counts.get(id.coordinator())).orElseGet(() -> of(before, id.coordinator()));
                counts.put(id.coordinator(), count + (isThere ? 1 : -1));
            }
        });
        List<LogRecord> changes = new ArrayList<>(1);
        counts.forEach((coordinator, count) -> changes.add(new SlotsCounted(coordinator, count)));
        return changes;
    }

    private static long decode(int coordinator, byte[] value) {
        if (value.length != Long.BYTES) {
            throw new IllegalStateException("the count of slots held for shard " + coordinator + " has " + value.length
                    + " bytes, not " + Long.BYTES);
        }
        return Keys.longAt(value, 0);
    }
}
