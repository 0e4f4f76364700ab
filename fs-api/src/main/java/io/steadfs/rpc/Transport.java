package io.steadfs.rpc;

import java.util.concurrent.CompletableFuture;

/**
 * Carries requests to servers: Netty in a process, messages in memory in a simulation. Requests to one address are delivered in the order
 * sent, over one connection. Replies may come in any order.
 */
public interface Transport extends AutoCloseable {
    /**
     * Sends one request; takes over its payload. The future never completes exceptionally: what the network did is a
     * reply of {@code TIMED_OUT}, {@code CONNECTION_LOST}, {@code UNREACHABLE} and the like made on this side. Cancelling it tells
     * the server to drop the request if it has not begun. Completes on the transport's thread: hand longer work over.
     *
     * @param timeoutMillis until {@code TIMED_OUT}; sent along as the deadline
     */
    CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis);

    /**
     * The same way, for messages of which each waits for the one before: the first for all that was answered until now, none
     * for what others send meanwhile. Messages that are sent together so each get a line that began before the first of
     * them. It makes no difference but to whoever counts waits, and is not to be closed.
     */
    default Transport line() {
        return this;
    }

    @Override
    void close();
}
