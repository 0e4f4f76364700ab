package io.steadfs.lab.torture;

import io.steadfs.error.FsError;
import io.steadfs.error.Resolver;
import java.util.List;

/**
 * One operation of one client as its history has it.
 *
 * @param client name with incarnation, for example {@code client-2.1}
 * @param id rises within a client
 * @param thread of the client
 * @param arguments as the kind lists them
 * @param beginNanos of the machine's monotonic clock, the same for all processes
 * @param endNanos {@link #NEVER} where the client never was answered
 * @param outcome {@code OK}, the name of an {@link FsError}, or {@link #NONE}
 * @param results of an operation that is OK
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
    /** The client never was answered. */
    static final String NONE = "NONE";

    /** Later than any time. */
    static final long NEVER = Long.MAX_VALUE;

    /** What clients do; after each the arguments, then the results. */
    enum Op {
        /** path */
        MKDIR,
        /** path, file id, {@code overwrite} or {@code new} */
        CREATE,
        /** path, file id; result: length that it is continued at */
        APPEND,
        /** file id, position after it */
        WRITE,
        /** file id, position */
        HFLUSH,
        /** file id, position */
        HSYNC,
        /** file id, position */
        CLOSE,
        /** path, file id or 0; result: length, offset of the first wrong byte or -1, file id as the bytes say or 0 */
        READ,
        /** path; result: {@code D} or {@code F}, length, {@code open} or {@code closed} */
        STAT,
        /** path; result: each name */
        LIST,
        /** source, target, mode */
        RENAME,
        /** path, {@code recursive} or {@code single} */
        DELETE
    }

    boolean ok() {
        return outcome.equals("OK");
    }

    /** Refused for good: the namespace is as it was. */
    boolean refused() {
        if (ok() || outcome.equals(NONE)) {
            return false;
        }
        return FsError.valueOf(outcome).resolver() == Resolver.CALLER;
    }

    /** Done or not done, nobody told the client. */
    boolean unknown() {
        return !ok() && !refused();
    }

    /** When it can change nothing any more: {@link #NEVER}, unless it was acknowledged. */
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
