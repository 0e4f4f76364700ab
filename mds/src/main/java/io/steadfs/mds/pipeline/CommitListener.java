package io.steadfs.mds.pipeline;

import io.steadfs.mds.record.LogRecord;
import java.util.List;

/** Hears what was committed; on the writer's thread, so it only takes note. */
@FunctionalInterface
public interface CommitListener {
    void committed(List<LogRecord> records);

    /** Both. */
    default CommitListener and(CommitListener other) {
        return records -> {
            committed(records);
            other.committed(records);
        };
    }
}
