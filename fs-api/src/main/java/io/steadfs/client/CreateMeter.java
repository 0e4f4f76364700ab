package io.steadfs.client;

import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import java.util.concurrent.CompletableFuture;

/**
 * Counts what one create sends over a transport: messages, and steps. A step is a wait: a message that is sent when n
 * steps have been answered belongs to step n + 1, so those sent together are one. Retries count. Thread-safe.
 */
final class CreateMeter implements Transport {
    private final Transport transport;
    private long messages;
    private long steps;

    CreateMeter(Transport transport) {
        this.transport = transport;
    }

    @Override
    public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
        long step = begin();
        CompletableFuture<Reply> answer = transport.send(server, request, timeoutMillis);
        CompletableFuture<Reply> counted = answer.whenComplete((reply, failure) -> end(step));
        var unused = counted.whenComplete((reply, failure) -> {
            if (counted.isCancelled()) {
                answer.cancel(false);
            }
        });
        return counted;
    }

    private synchronized long begin() {
        messages++;
        return steps + 1;
    }

    private synchronized void end(long step) {
        steps = Math.max(steps, step);
    }

    synchronized long messages() {
        return messages;
    }

    /** Answered so far. */
    synchronized long steps() {
        return steps;
    }

    @Override
    public void close() {}
}
