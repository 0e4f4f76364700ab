package io.steadfs.rpc.netty;

import io.steadfs.error.FsError;
import io.steadfs.hello.Introduction;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Clock;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends requests over one connection per server. The connection is made when first needed, and again after a loss or an idle time. Futures
 * complete on the connection's event loop. Above the bounds of {@link NettyOptions} a call is refused with BUSY before anything is sent. Above the frame limits the error is TOO_LARGE. A few small objects for each server's address are kept for ever.
 *
 * <p>UNREACHABLE means that the request was never written to a connection. Either the server could not be reached in the call's time or was given a pause after failures. Or the server is not the one that the address means. BUSY from this side also means that the request was never written. Either too many calls are under way, or the server has no room for a connection. UNAVAILABLE means that the server ended the connection in
 * order, and did not execute the request. CONNECTION_LOST and TIMED_OUT mean only that the request was written.
 *
 * <p>Many clients may use the same connections, each by its {@link #share}.
 */
public final class NettyTransport implements Transport {
    private final Introduction introduction;
    private final EventLoops loops;
    private final NettyOptions options;
    private final Clock clock;
    private final TransportShare own;
    private final ConcurrentHashMap<ServerAddress, ClientConnection> connections = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** A transport for a client of the user who runs this process. */
    public NettyTransport(EventLoops loops, NettyOptions options, MessageCounters counters, Clock clock) {
        this(loops, options, counters, clock, Introduction.client());
    }

    /** @param introduction how it introduces itself when it opens connections */
    public NettyTransport(
            EventLoops loops, NettyOptions options, MessageCounters counters, Clock clock, Introduction introduction) {
        this.introduction = introduction;
        this.loops = loops;
        this.options = options;
        this.clock = clock;
        this.own = new TransportShare(this, options, counters);
    }

    /**
     * One client's part of this transport. The part uses the same connections, and has counters and bounds on calls under way of its own. However
     * many calls other clients have at a server, some calls of this one are sent. Closing it ends its calls and no connection.
     */
    public Transport share(MessageCounters counters) {
        return new TransportShare(this, options, counters);
    }

    @Override
    public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
        return send(server, request, timeoutMillis, own);
    }

    CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis, TransportShare share) {
        if (closed || share.isClosed()) {
            request.payload().release();
            return CompletableFuture.completedFuture(Reply.refused(
                    request.kind(), FsError.UNREACHABLE, server + ": " + ClientConnection.TRANSPORT_CLOSED));
        }
        ClientConnection connection = connections.get(server);
        if (connection == null) {
            connection = connections.computeIfAbsent(
                    server, address -> new ClientConnection(address, loops, options, clock, introduction));
            if (closed) {
                // The transport was closed since the check above. Closing may have missed this connection.
                connection.close();
            }
        }
        return connection.send(request, server.meant(), timeoutMillis, share);
    }

    /** Ends all connections. Calls without a reply get CONNECTION_LOST or UNREACHABLE, later calls UNREACHABLE. */
    @Override
    public void close() {
        closed = true;
        connections.values().forEach(ClientConnection::close);
    }
}
