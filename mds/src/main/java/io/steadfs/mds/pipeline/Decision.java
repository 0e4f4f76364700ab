package io.steadfs.mds.pipeline;

import io.steadfs.mds.record.LogRecord;
import java.util.List;

/**
 * The decision on a command.
 *
 * @param records facts to make durable, in order; empty for a refusal
 * @param answer answer that the caller gets after the batch is committed
 * @param early whether the caller gets the answer at once. Then all records are volatile, and the answer is right
 *     whether the batch is committed or not
 */
public record Decision<A>(List<LogRecord> records, A answer, boolean early) {
    public Decision {
        records = List.copyOf(records);
        if (early) {
            requireVolatile(records);
        }
    }

    /** A decision whose answer waits for the commit. */
    public Decision(List<LogRecord> records, A answer) {
        this(records, answer, false);
    }

    private static void requireVolatile(List<LogRecord> records) {
        for (LogRecord each : records) {
            if (!each.isVolatile()) {
                throw new IllegalArgumentException("an early answer with the durable record " + each);
            }
        }
    }

    public static <A> Decision<A> of(A answer, LogRecord... records) {
        return new Decision<>(List.of(records), answer);
    }
}
