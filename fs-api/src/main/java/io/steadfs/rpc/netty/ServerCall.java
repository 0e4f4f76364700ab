package io.steadfs.rpc.netty;

import io.steadfs.error.FsError;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.recent.MessageTimes;
import io.steadfs.recent.RecentMessages;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Moment;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.wire.Role;
import java.util.concurrent.atomic.AtomicReferenceFieldUpdater;
import org.jspecify.annotations.Nullable;

/**
 * One request that a server works on. Any thread may give the reply. The rest belongs to the connection's event loop.
 */
final class ServerCall implements RequestHandler.Call, Runnable {
    private static final AtomicReferenceFieldUpdater<ServerCall, Reply> REPLY =
            AtomicReferenceFieldUpdater.newUpdater(ServerCall.class, Reply.class, "reply");

    private final ServerConnection connection;
    private final Request request;
    private final long bytes;
    private final long arrivalNanos;
    private final long deadlineNanos;
    private final boolean hasDeadline;
    private volatile boolean cancelled;
    /**
     * Time at which work on the call began, in nanoseconds. The thread that works on the call writes the field and then
     * gives the reply. The event loop reads the field when it sends the reply.
     */
    private long startedNanos;

    private long commitBegunNanos;
    private long commitEndedNanos;
    private volatile @Nullable Reply reply;

    /** @param bytes number of bytes that this request adds to the bytes at work */
    ServerCall(ServerConnection connection, Request request, long bytes, long arrivalNanos) {
        this.connection = connection;
        this.request = request;
        this.bytes = bytes;
        this.arrivalNanos = arrivalNanos;
        long millis = Integer.toUnsignedLong(request.header().getDeadlineMillis());
        this.hasDeadline = millis != 0;
        this.deadlineNanos = arrivalNanos + millis * 1_000_000;
    }

    @Override
    public Request request() {
        return request;
    }

    @Override
    public String peer() {
        return connection.peer();
    }

    @Override
    public PeerIdentity peerIdentity() {
        return connection.peerIdentity();
    }

    @Override
    public boolean isCancelled() {
        return cancelled || isLate();
    }

    @Override
    public boolean isAlone() {
        return connection.isAlone();
    }

    @Override
    public boolean isOnItsThread() {
        return connection.isOnItsThread();
    }

    boolean isLate() {
        return hasDeadline && connection.nanos() - deadlineNanos >= 0;
    }

    void cancel() {
        cancelled = true;
    }

    long number() {
        return request.header().getCall();
    }

    long bytes() {
        return bytes;
    }

    @Override
    public void mark(Moment moment) {
        if (reply != null) {
            return;
        }
        long now = connection.nanos();
        switch (moment) {
            case STARTED -> startedNanos = startedNanos == 0 ? now : startedNanos;
            case COMMIT_BEGUN -> {
                commitBegunNanos = now;
                commitEndedNanos = 0;
            }
            case COMMIT_ENDED -> commitEndedNanos = now;
        }
    }

    /** Adds the call to the recent messages, with the outcome and with the times of its moments. */
    void noteIn(RecentMessages recent, FsError outcome) {
        recent.received(
                request.header().getTraceId(),
                request.kind(),
                request.header().getStep(),
                connection.peer(),
                connection.peerPort(),
                number(),
                bytes,
                outcome,
                new MessageTimes(arrivalNanos, startedNanos, commitBegunNanos, commitEndedNanos, connection.nanos()));
    }

    /**
     * Whether a tool sent the request to watch the cluster. If a client says so, the server does not believe the
     * client. Otherwise a client could hide its requests from the rates.
     */
    boolean isWatching() {
        return request.header().getWatching() && peerIdentity().role() != Role.CLIENT;
    }

    /** Counts how long the call took until now. To be called when the call is answered. */
    void timeIn(MessageCounters counters) {
        if (!MessageCounters.isWatching(request.kind(), isWatching())) {
            counters.took(request.kind(), connection.nanos() - arrivalNanos);
        }
    }

    @Override
    public void reply(Reply answer) {
        if (!offer(answer)) {
            answer.payload().release();
            throw new IllegalStateException(
                    "second reply to call " + number() + " (" + request.kind() + ") of " + peer());
        }
    }

    /** Gives the reply if there is no other reply yet. The reply must have no payload. */
    void replyIfNone(Reply answer) {
        offer(answer);
    }

    private boolean offer(Reply answer) {
        boolean first = REPLY.compareAndSet(this, null, answer);
        if (first) {
            connection.replied(this);
        }
        return first;
    }

    void dropReply() {
        Reply answer = reply;
        if (answer != null) {
            answer.payload().release();
        }
    }

    /** Sends the reply, on the event loop. */
    @Override
    public void run() {
        Reply answer = reply;
        if (answer != null) {
            connection.send(this, answer);
        }
    }
}
