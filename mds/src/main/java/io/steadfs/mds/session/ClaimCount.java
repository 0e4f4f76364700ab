package io.steadfs.mds.session;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Counts the claims of each session that a decision changes. The counted rows need not be read: each FileClaimed adds a
 * claim that did not exist, and each ClaimEnded removes one that existed.
 */
public final class ClaimCount {
    private ClaimCount() {}

    /** Returns the new counts of all sessions whose counts change, except those that are already among the records. */
    public static List<ClaimsCounted> of(List<LogRecord> records, ReadView before) {
        Map<Long, Long> changes = new LinkedHashMap<>();
        for (LogRecord each : records) {
            if (each instanceof FileClaimed claimed) {
                changes.merge(claimed.session(), 1L, Long::sum);
            } else if (each instanceof ClaimEnded ended) {
                changes.merge(ended.session(), -1L, Long::sum);
            }
        }
        if (changes.isEmpty()) {
            return List.of();
        }
        for (LogRecord each : records) {
            if (each instanceof ClaimsCounted counted) {
                changes.remove(counted.session());
            }
        }
        List<ClaimsCounted> counts = new ArrayList<>(changes.size());
        changes.forEach((session, change) -> {
            if (change != 0) {
                counts.add(new ClaimsCounted(session, Claims.count(before, session) + change));
            }
        });
        return counts;
    }

    /** Returns the records of the new counts, for the writer. */
    public static List<LogRecord> rows(List<LogRecord> records, ReadView before) {
        return List.copyOf(of(records, before));
    }
}
