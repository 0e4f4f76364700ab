package io.steadfs.lab.torture;

import io.steadfs.error.FsError;
import io.steadfs.error.Resolver;
import java.util.List;

/**
 * One operation of one client, as recorded in the client's history.
 *
 * @param client name with incarnation, for example {@code client-2.1}
 * @param id number of the operation, which rises within a client
 * @param thread number of the client's thread
 * @param arguments arguments of the operation, in the order of {@link Op}
 * @param beginNanos time of the begin, by the machine's monotonic clock, which is the same for all processes
 * @param endNanos time of the answer, by the machine's monotonic clock; {@link #NEVER} if the client got no answer
 * @param outcome {@code OK}, the name of an {@link FsError}, or {@link #NONE}
 * @param results results of a successful operation
 */
record Event(
        String client,
        long id,
        int thread,
        Op op,
        List<String> arguments,
        long beginNanos,
        long endNanos,
        String outcome,
        List<String> results) {
    /** The outcome of an operation without an answer. */
    static final String NONE = "NONE";

    /** A time later than every other time. */
    static final long NEVER = Long.MAX_VALUE;

    /** The kinds of operations of clients, each with its arguments and results. */
    enum Op {
        /** Argument: path. */
        MKDIR,
        /** Arguments: path; file id; {@code overwrite} or {@code new}. */
        CREATE,
        /** Arguments: path; file id. Result: length of the file at which the append continues. */
        APPEND,
        /** Arguments: file id; position after the write. */
        WRITE,
        /** Arguments: file id; position. */
        HFLUSH,
        /** Arguments: file id; position. */
        HSYNC,
        /** Arguments: file id; position. */
        CLOSE,
        /**
         * Arguments: path; file id or 0. Results: length; offset of the first wrong byte or -1; file id in the bytes or
         * 0.
         */
        READ,
        /** Argument: path. Results: {@code D} or {@code F}; length; {@code open} or {@code closed}. */
        STAT,
        /** Argument: path. Results: all names. */
        LIST,
        /** Arguments: source; target; mode. */
        RENAME,
        /** Arguments: path; {@code recursive} or {@code single}. */
        DELETE
    }

    boolean ok() {
        return outcome.equals("OK");
    }

    /** Whether the operation was refused, so that the namespace is unchanged. */
    boolean refused() {
        if (ok() || outcome.equals(NONE)) {
            return false;
        }
        return FsError.valueOf(outcome).resolver() == Resolver.CALLER;
    }

    /** Whether the client does not know the outcome of the operation. */
    boolean unknown() {
        return !ok() && !refused();
    }

    /**
     * Time after which the operation can change nothing any more; {@link #NEVER} if the operation was not acknowledged.
     */
    long overNanos() {
        return ok() ? endNanos : NEVER;
    }

    String argument(int index) {
        return arguments.get(index);
    }

    long number(int index) {
        return Long.parseLong(arguments.get(index));
    }

    @Override
    public String toString() {
        return client + " op " + id + " " + op + arguments + " begun " + beginNanos / 1_000_000 + " ms "
                + (endNanos == NEVER ? "never answered" : "answered " + endNanos / 1_000_000 + " ms") + " "
                + outcome + (results.isEmpty() ? "" : " " + results);
    }
}
