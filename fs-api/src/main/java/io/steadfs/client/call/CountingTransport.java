package io.steadfs.client.call;

import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Clock;
import io.steadfs.wire.Kind;
import java.util.concurrent.CompletableFuture;

/**
 * Counts and times the messages that one client sends over a transport. Closing this object does not close the
 * transport, because other clients may share the transport.
 */
public final class CountingTransport implements Transport {
    private final Transport transport;
    private final MessageCounters counters;
    private final Clock clock;

    public CountingTransport(Transport transport, MessageCounters counters, Clock clock) {
        this.transport = transport;
        this.counters = counters;
        this.clock = clock;
    }

    @Override
    public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
        counters.out(request.kind(), request.header().getStep());
        Kind kind = request.kind();
        long sent = clock.monotonicNanos();
        CompletableFuture<Reply> answer = transport.send(server, request, timeoutMillis);
        var unused = answer.whenComplete((reply, failure) -> counters.took(kind, clock.monotonicNanos() - sent));
        return answer;
    }

    @Override
    public Transport line() {
        return new CountingTransport(transport.line(), counters, clock);
    }

    @Override
    public void close() {}
}
