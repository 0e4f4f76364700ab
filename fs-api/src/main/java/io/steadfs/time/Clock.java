package io.steadfs.time;

/**
 * The only source of time for servers and clients. Leases, sessions and deadlines use {@link #monotonicNanos}. The wall
 * clock serves only for the times of files and of log lines. A simulation supplies its own clock.
 */
public interface Clock {
    /** Nanoseconds since a fixed moment, which differs between processes. The value never goes back. */
    long monotonicNanos();

    /** Milliseconds since 1970, by the wall clock. The value may jump forward or back. */
    long wallMillis();
}
