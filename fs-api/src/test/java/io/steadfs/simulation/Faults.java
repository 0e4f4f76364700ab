package io.steadfs.simulation;

/**
 * What a {@link MemoryNetwork} does to messages.
 *
 * @param lostPerMille of requests, and of replies, that never arrive
 * @param doubledPerMille of requests that arrive a second time, later
 * @param leastDelayMicros of a message on its way
 * @param mostDelayMicros of a message on its way; the spread reorders replies
 */
public record Faults(int lostPerMille, int doubledPerMille, long leastDelayMicros, long mostDelayMicros) {
    /** Everything arrives once, in order, after 100 microseconds. */
    public static final Faults NONE = new Faults(0, 0, 100, 100);

    /** A bad day. */
    public static final Faults MANY = new Faults(50, 50, 50, 20_000);
}
