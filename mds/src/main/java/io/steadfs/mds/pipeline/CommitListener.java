package io.steadfs.mds.pipeline;

import io.steadfs.mds.record.LogRecord;
import java.util.List;

/** Gets every committed batch. The calls come on the committing thread, so the listener must return quickly. */
@FunctionalInterface
public interface CommitListener {
    /**
     * Called before these records are committed. Nobody has seen the records yet. Only {@link #committed} says that the
     * commit succeeded.
     */
    default void committing(List<LogRecord> records) {}

    void committed(List<LogRecord> records);

    /** Returns a listener that calls this listener and the other. */
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
