package io.steadfs.rpc.netty;

import io.steadfs.error.FsError;
import io.steadfs.hello.PeerName;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import java.util.concurrent.CompletableFuture;

/** One request that waits for its reply. But for the future, it belongs to its connection's event loop. */
final class ClientCall extends CompletableFuture<Reply> implements Runnable {
    private final ClientConnection connection;
    private final Request request;
    private final PeerName meant;
    private final long bytes;
    private final long timeoutMillis;
    private final long deadlineNanos;
    private long number;
    private long sentNanos;
    private int senderPort;

    ClientCall(
            ClientConnection connection,
            Request request,
            PeerName meant,
            long bytes,
            long timeoutMillis,
            long nowNanos) {
        this.meant = meant;
        this.connection = connection;
        this.request = request;
        this.bytes = bytes;
        this.timeoutMillis = timeoutMillis;
        this.deadlineNanos = nowNanos + timeoutMillis * 1_000_000;
    }

    Request request() {
        return request;
    }

    /** Whom it is for. */
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

    /** On its connection; 0 while it was not sent. */
    long number() {
        return number;
    }

    /** @param port of this end of the connection */
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

    /** Completes with the reply; releases its payload if nobody waits any more. */
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
