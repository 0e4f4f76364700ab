package io.steadfs.mds.pipeline;

import io.steadfs.mds.record.LogRecord;
import java.util.List;

/**
 * The decision on a command.
 *
 * @param records facts to make durable, in order; empty for a refusal
 * @param answer answer that the caller gets after the batch is committed
 */
public record Decision<A>(List<LogRecord> records, A answer) {
    public Decision {
        records = List.copyOf(records);
    }

    public static <A> Decision<A> of(A answer, LogRecord... records) {
        return new Decision<>(List.of(records), answer);
    }
}
