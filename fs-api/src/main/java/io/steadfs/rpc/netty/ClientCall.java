package io.steadfs.rpc.netty;

import io.steadfs.error.FsError;
import io.steadfs.hello.PeerName;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import java.util.concurrent.CompletableFuture;

/**
 * A request that waits for its reply. Any thread may use the future. Everything else belongs to the event loop of the
 * call's connection.
 *
 * <p>A call takes {@link Room} of its client until the caller gets the answer or gives up. A call that was sent also
 * takes a place on the connection until the server answers. If the caller gives up, the call keeps its place, because
 * the server still works on the call.
 */
final class ClientCall extends CompletableFuture<Reply> implements Runnable {
    private final ClientConnection connection;
    private final TransportShare share;
    private final Room room;
    private final Request request;
    private final PeerName meant;
    private final long bytes;
    private final long timeoutMillis;
    private final long deadlineNanos;
    private long number;
    private long sentNanos;
    private int senderPort;
    private boolean over;
    private boolean timedOut;

    ClientCall(
            ClientConnection connection,
            TransportShare share,
            Room room,
            Request request,
            PeerName meant,
            long bytes,
            long timeoutMillis,
            long nowNanos) {
        this.meant = meant;
        this.connection = connection;
        this.share = share;
        this.room = room;
        this.request = request;
        this.bytes = bytes;
        this.timeoutMillis = timeoutMillis;
        this.deadlineNanos = nowNanos + timeoutMillis * 1_000_000;
    }

    /** The client that the call belongs to. */
    TransportShare share() {
        return share;
    }

    Room room() {
        return room;
    }

    /** Whether nobody waits for the call any more. */
    boolean isOver() {
        return over;
    }

    /** Gives the room back. Called after the caller has given up, or just before the caller gets the answer. */
    void giveBack() {
        if (!over) {
            over = true;
            room.giveBack(bytes);
        }
    }

    /** Notes that the call was sent but no reply came before the deadline. */
    void timedOut() {
        timedOut = true;
    }

    boolean isTimedOut() {
        return timedOut;
    }

    Request request() {
        return request;
    }

    /** The server to which the caller has addressed the call. */
    PeerName meant() {
        return meant;
    }

    long bytes() {
        return bytes;
    }

    long timeoutMillis() {
        return timeoutMillis;
    }

    long deadlineNanos() {
        return deadlineNanos;
    }

    /** Number of the call on its connection; 0 if the call was not sent. */
    long number() {
        return number;
    }

    /** @param port local port of the connection */
    void sentAs(long callNumber, int port, long nowNanos) {
        number = callNumber;
        senderPort = port;
        sentNanos = nowNanos;
    }

    long sentNanos() {
        return sentNanos;
    }

    int senderPort() {
        return senderPort;
    }

    /** Completes the future with the reply. If nobody waits for the call any more, releases the reply's payload. */
    void answer(Reply reply) {
        if (number != 0) {
            connection.note(this, reply.error());
        }
        if (!complete(reply)) {
            reply.payload().release();
        }
    }

    void refuse(FsError error, String message) {
        answer(Reply.refused(request.kind(), error, message));
    }

    @Override
    public boolean cancel(boolean mayInterruptIfRunning) {
        boolean wasPending = !isDone();
        boolean cancelled = super.cancel(mayInterruptIfRunning);
        if (cancelled && wasPending) {
            connection.takeBack(this);
        }
        return cancelled;
    }

    /** Begins the call, on the event loop. */
    @Override
    public void run() {
        connection.begin(this);
    }
}
