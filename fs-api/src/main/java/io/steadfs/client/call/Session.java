package io.steadfs.client.call;

import io.steadfs.cluster.SessionName;
import io.steadfs.wire.proto.RequestHeader;
import java.util.Set;
import java.util.TreeSet;

/**
 * One session and the ids of its requests, which rise from 1. A request holds its id until its reply was seen or given up. The lowest held
 * id tells the servers which recorded replies are still wanted. The session also knows the shards that were asked for changes, because each
 * of them keeps something of the session. Thread-safe.
 */
public final class Session {
    private final long id;
    private final TreeSet<Long> held = new TreeSet<>();
    private final TreeSet<Integer> shards = new TreeSet<>();
    private long next = 1;
    private boolean ended;

    /** @param id random, not 0 */
    Session(long id) {
        this.id = id;
    }

    long id() {
        return id;
    }

    /** Takes the next id for a change. {@link Request#release} it when its reply was seen or nobody waits for it any more. */
    public Request request() {
        return new Request();
    }

    private synchronized long take() {
        long taken = next++;
        held.add(taken);
        return taken;
    }

    private synchronized void release(long requestId) {
        held.remove(requestId);
    }

    /** Lowest id whose reply was not seen. The next id where no request holds one. */
    synchronized long lowestUnanswered() {
        return held.isEmpty() ? next : held.first();
    }

    /** Numbers of the shards that were asked for changes. */
    synchronized Set<Integer> shardsAsked() {
        return Set.copyOf(shards);
    }

    private synchronized void stamp(RequestHeader.Builder header, long requestId) {
        header.setSession(id).setRequestId(requestId).setLowestUnanswered(lowestUnanswered());
        shards.add(header.getShard() - 1);
    }

    /** One change with its id. Once it is released it takes no other id. */
    public final class Request implements Courier.Stamp {
        private long requestId = take();
        private boolean released;

        private Request() {}

        @Override
        public synchronized void put(RequestHeader.Builder header) {
            stamp(header, requestId);
        }

        @Override
        public synchronized void beginAnew() {
            if (!released) {
                Session.this.release(requestId);
                requestId = take();
            }
        }

        public synchronized void release() {
            released = true;
            Session.this.release(requestId);
        }
    }

    synchronized void end() {
        ended = true;
    }

    public synchronized boolean isEnded() {
        return ended;
    }

    @Override
    public String toString() {
        return SessionName.of(id);
    }
}
