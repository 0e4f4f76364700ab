package io.steadfs.admin;

import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import java.util.concurrent.CompletableFuture;

/**
 * Marks requests as those of a tool that watches the cluster. Servers count such requests separately, so that a tool
 * which reads a request rate does not raise that rate.
 */
public final class WatchingTransport implements Transport {
    private final Transport transport;

    /** @param transport sends the marked requests; {@link #close} closes it */
    public WatchingTransport(Transport transport) {
        this.transport = transport;
    }

    @Override
    public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
        Request marked = new Request(
                request.kind(),
                request.header().toBuilder().setWatching(true).build(),
                request.body(),
                request.payload());
        return transport.send(server, marked, timeoutMillis);
    }

    @Override
    public void close() {
        transport.close();
    }
}
