package io.steadfs.mds.pipeline;

import io.steadfs.mds.record.LogRecord;
import java.util.List;

/** Hears what is committed, batch by batch; on the thread that commits, so it only takes note. */
@FunctionalInterface
public interface CommitListener {
    /** They are to be committed, and nobody saw them yet. Whether they are, is heard of by {@link #committed} alone. */
    default void committing(List<LogRecord> records) {}

    void committed(List<LogRecord> records);

    /** Both. */
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
