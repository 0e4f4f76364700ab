package io.steadfs.lab.torture;

import io.steadfs.error.FsError;
import io.steadfs.error.Resolver;
import java.util.List;

/**
 * One operation of one client, read from the client's history.
 *
 * @param client name of the client with its incarnation, for example {@code client-2.1}
 * @param id id that rises within a client
 * @param thread number of the client's thread
 * @param arguments arguments in the order that {@link Op} lists
 * @param beginNanos time of the machine's monotonic clock, which all processes share
 * @param endNanos time of the answer by the same clock; {@link #NEVER} = the client never got an answer
 * @param outcome {@code OK}, the name of an {@link FsError}, or {@link #NONE}
 * @param results results in the order that {@link Op} lists, if the operation succeeded
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
    /** The client never got an answer. */
    static final String NONE = "NONE";

    /** A time that is later than all other times. */
    static final long NEVER = Long.MAX_VALUE;

    /** Operations of clients. Each comment lists the arguments and then the results. */
    enum Op {
        /** Argument: path. */
        MKDIR,
        /** Arguments: path; file id; {@code overwrite} or {@code new}. */
        CREATE,
        /** path, file id; result: length of the file at which the writer continues */
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
        /** Argument: path. Results: {@code D} or {@code F}; length; {@code open} or {@code closed}; mode. */
        STAT,
        /** Argument: path. Results: all names. */
        LIST,
        /** Arguments: source; target; mode. */
        RENAME,
        /** Arguments: path; {@code recursive} or {@code single}. */
        DELETE,
        /** Arguments: path of a directory; mode in octal. */
        MODE
    }

    boolean ok() {
        return outcome.equals("OK");
    }

    /** Returns whether the operation was refused for good. The namespace is then unchanged. */
    boolean refused() {
        if (ok() || outcome.equals(NONE)) {
            return false;
        }
        return FsError.valueOf(outcome).resolver() == Resolver.CALLER;
    }

    /** Returns whether the client does not know if the operation was done. */
    boolean unknown() {
        return !ok() && !refused();
    }

    /**
     * Returns the time after which the operation changes nothing more. Without an acknowledgement, the time is
     * {@link #NEVER}.
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
