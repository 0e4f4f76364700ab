package io.steadfs.client;

import io.steadfs.wire.proto.RequestHeader;
import java.util.TreeSet;

/**
 * One session and the ids of its requests, which rise from 1. A request holds its id until its reply was seen or given
 * up; the lowest held one tells the servers which recorded replies are still wanted. Thread-safe.
 */
final class Session {
    private final long id;
    private final TreeSet<Long> held = new TreeSet<>();
    private long next = 1;
    private boolean ended;

    /** @param id random, not 0 */
    Session(long id) {
        this.id = id;
    }

    long id() {
        return id;
    }

    /** The next request id; {@link #release} it when its reply was seen or nobody waits for it any more. */
    synchronized long take() {
        long taken = next++;
        held.add(taken);
        return taken;
    }

    synchronized void release(long requestId) {
        held.remove(requestId);
    }

    /** Lowest id whose reply was not seen; the next one where none is held. */
    synchronized long lowestUnanswered() {
        return held.isEmpty() ? next : held.first();
    }

    void stamp(RequestHeader.Builder header, long requestId) {
        header.setSession(id).setRequestId(requestId).setLowestUnanswered(lowestUnanswered());
    }

    synchronized void end() {
        ended = true;
    }

    synchronized boolean isEnded() {
        return ended;
    }

    @Override
    public String toString() {
        return Long.toHexString(id);
    }
}
