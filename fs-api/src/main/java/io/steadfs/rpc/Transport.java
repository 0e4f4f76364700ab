package io.steadfs.rpc;

import java.util.concurrent.CompletableFuture;

/**
 * Carries requests to servers, and replies back. A real process uses Netty. A simulation passes messages in memory. All
 * requests to one address go over one connection, and arrive in the order in which they were sent. Replies may arrive
 * in any order.
 */
public interface Transport extends AutoCloseable {
    /**
     * Sends one request. The request's payload then belongs to the transport. The future never completes exceptionally.
     * If the network fails, this transport makes a reply itself, with an error such as {@code TIMED_OUT},
     * {@code CONNECTION_LOST} or {@code UNREACHABLE}. If the caller cancels the future, the server drops the request,
     * unless work on the request has begun. The future completes on the transport's thread, or on the thread of a caller
     * that waits for something else. So what is done then must be short, and must not wait: for no other call, and for
     * no lock that a thread may hold while it waits for a call.
     *
     * @param timeoutMillis longest wait for the reply in milliseconds, after which the reply is {@code TIMED_OUT}; the
     *     server gets this time as the request's deadline
     */
    CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis);

    /**
     * Begins a line: a sequence of messages, each of which waits for the answer to the message before. Lines matter
     * only for the counting of steps. The first message of a line comes after all answers that have arrived when the
     * line begins. Answers to messages outside the line do not count after that. To send messages together, begin a
     * line for each message before the first message is sent. A line must not be closed.
     */
    default Transport line() {
        return this;
    }

    @Override
    void close();
}
