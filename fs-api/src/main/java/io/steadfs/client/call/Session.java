package io.steadfs.client.call;

import io.steadfs.cluster.SessionName;
import io.steadfs.cluster.ShardCounts;
import io.steadfs.wire.proto.RequestHeader;
import java.util.Set;
import java.util.TreeSet;

/**
 * One session of a client. Gives out the ids of the session's requests, which rise from 1. A request holds its id until
 * the client has seen the reply or no longer waits. The lowest held id tells servers which recorded replies the client
 * still needs. The session also remembers every shard that the client asked for changes, because these shards keep
 * state of the session. Thread-safe.
 */
public final class Session {
    private final long id;
    private final int home;
    private final int namedHome;
    private final TreeSet<Long> held = new TreeSet<>();
    private final TreeSet<Integer> shards = new TreeSet<>();
    private long next = 1;
    private boolean ended;

    /**
     * @param id random id of the session, not 0
     * @param shards the shards when the session is opened. The session keeps its home when shards are added later
     */
    Session(long id, ShardCounts shards) {
        this.id = id;
        this.home = shards.homeOfNew(id);
        this.namedHome = shards.nameOfNew(id);
    }

    long id() {
        return id;
    }

    /** Number of the shard that keeps the session. */
    int home() {
        return home;
    }

    /** How messages name the home of the session: its number plus 1; 0 = the id says which. */
    int namedHome() {
        return namedHome;
    }

    /**
     * Makes a request with the next id. The caller must call {@link Request#release} after the reply has arrived or
     * nobody waits for the reply any more.
     */
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

    /** The lowest id that a request holds. If no request holds an id, the result is the id of the next request. */
    synchronized long lowestUnanswered() {
        return held.isEmpty() ? next : held.first();
    }

    /** Numbers of the shards that the client asked for changes. */
    synchronized Set<Integer> shardsAsked() {
        return Set.copyOf(shards);
    }

    private synchronized void stamp(RequestHeader.Builder header, long requestId) {
        header.setSession(id).setSessionHome(namedHome).setRequestId(requestId).setLowestUnanswered(lowestUnanswered());
        shards.add(header.getShard() - 1);
    }

    /** Names the session in a request that has no id of its own. */
    public Courier.Stamp stamp() {
        return header -> header.setSession(id).setSessionHome(namedHome).setLowestUnanswered(lowestUnanswered());
    }

    /** One request for a change, with its id. A released request never gets a new id. */
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
