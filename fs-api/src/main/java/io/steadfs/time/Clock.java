package io.steadfs.time;

/**
 * The only source of time for servers and clients. Leases, sessions and deadlines are counted in {@link #monotonicNanos}. Wall time is only
 * for the times of files and of log lines. A simulation supplies its own clock.
 */
public interface Clock {
    /** Nanoseconds since some fixed moment of this process; never goes back. */
    long monotonicNanos();

    /** Milliseconds since 1970; may jump in either direction. */
    long wallMillis();
}
