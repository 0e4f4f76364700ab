package io.steadfs.mds.pipeline;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;

/**
 * Keeps rows that count other rows. The writer adds the records of counts to the records of each decision, so that
 * operations need not update counts. Must be pure, like a decision.
 */
@FunctionalInterface
public interface Totals {
    Totals NONE = (decided, before) -> List.of();

    /**
     * Returns records with the new values of the counts that a decision changes.
     *
     * @param decided records of the decision
     * @param before the state without the decision
     */
    List<LogRecord> of(List<LogRecord> decided, ReadView before);

    /** Returns totals that keep the rows of this and of the other. */
    default Totals and(Totals other) {
        return (decided, before) -> {
            List<LogRecord> all = new ArrayList<>(of(decided, before));
            all.addAll(other.of(decided, before));
            return all;
        };
    }
}
