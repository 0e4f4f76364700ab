package io.steadfs.mds.pipeline;

import io.steadfs.mds.record.LogRecord;
import java.util.List;

/** Hears of each committed batch. Called on the committing thread, so it must only take note. */
@FunctionalInterface
public interface CommitListener {
    /**
     * These records are about to be committed, and nobody has seen the records yet. Only {@link #committed} tells that the
     * commit succeeded.
     */
    default void committing(List<LogRecord> records) {}

    void committed(List<LogRecord> records);

    /** A listener that calls both. */
    default CommitListener and(CommitListener other) {
        CommitListener first = this;
        return new CommitListener() {
            @Override
            public void committing(List<LogRecord> records) {
                first.committing(records);
                other.committing(records);
            }

            @Override
            public void committed(List<LogRecord> records) {
                first.committed(records);
                other.committed(records);
            }
        };
    }
}
