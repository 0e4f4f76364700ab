package io.steadfs.rpc.netty;

import io.steadfs.error.FsError;
import io.steadfs.hello.PeerName;
import io.steadfs.rpc.EarlyCall;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One request that waits for its reply. The future may be used from any thread. Everything else here belongs to the
 * connection's event loop.
 *
 * <p>A call takes room of its client until its caller no longer waits. A call that was sent also takes a place on the
 * connection until the server answers. A caller that gives up does not stop the server's work.
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
    private @Nullable EarlyCall early;
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

    /** Makes the call an early one. To be called before the event loop has the call. */
    void early(@Nullable EarlyCall as) {
        early = as;
    }

    /** What to tell of the call if nobody waits for it yet; otherwise null. */
    @Nullable
    EarlyCall early() {
        return early;
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

    /**
     * Gives back the room that the call took. To be called when nobody waits for the call any more, or just before the
     * caller gets the answer.
     */
    void giveBack() {
        if (!over) {
            over = true;
            room.giveBack(bytes);
        }
    }

    /** Notes that the call was sent and that no reply came before its deadline. */
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

    /** Number of the call on its connection. 0 = the call was not sent yet. */
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

    /** Completes the call with the reply. Releases the reply's payload if nobody waits for the call any more. */
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
