package io.steadfs.rpc;

import java.util.concurrent.CompletableFuture;

/**
 * Carries requests to servers: Netty in a process, messages in memory in a simulation. Requests to one address are delivered in the order
 * sent, over one connection. Replies may come in any order.
 */
public interface Transport extends AutoCloseable {
    /**
     * Sends one request and takes over its payload. The future never completes exceptionally: a failure of the network becomes a reply of
     * {@code TIMED_OUT}, {@code CONNECTION_LOST}, {@code UNREACHABLE} and the like, made on this side. Cancelling the future tells the
     * server to drop the request if it has not begun. The future completes on the transport's thread: hand longer work over.
     *
     * @param timeoutMillis until {@code TIMED_OUT}; sent along as the deadline
     */
    CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis);

    /**
     * A line of this transport, for messages where each waits for the one before. The first message of a line waits for all that was
     * answered until now. None waits for messages that others send meanwhile. To send messages together, begin a line for each of them
     * before the first is sent. A line matters only for counting steps, and must not be closed.
     */
    default Transport line() {
        return this;
    }

    @Override
    void close();
}
