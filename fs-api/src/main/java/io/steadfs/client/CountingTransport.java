package io.steadfs.client;

import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import java.util.concurrent.CompletableFuture;

/** Counts what one client sends over a transport that it may share. Closing it leaves the transport open. */
final class CountingTransport implements Transport {
    private final Transport transport;
    private final MessageCounters counters;

    CountingTransport(Transport transport, MessageCounters counters) {
        this.transport = transport;
        this.counters = counters;
    }

    @Override
    public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
        counters.out(request.kind(), request.header().getStep());
        return transport.send(server, request, timeoutMillis);
    }

    @Override
    public Transport line() {
        return new CountingTransport(transport.line(), counters);
    }

    @Override
    public void close() {}
}
