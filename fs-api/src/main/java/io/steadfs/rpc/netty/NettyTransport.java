package io.steadfs.rpc.netty;

import io.steadfs.error.FsError;
import io.steadfs.hello.Introduction;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Sends requests over one connection per server. The first call makes the connection. After a loss or an idle time, the
 * next call makes a new connection. Futures complete on the connection's event loop. If a client has too many calls at
 * a server, further calls fail with BUSY before anything is sent. {@link NettyOptions} has these limits. A request
 * above the frame limits fails with TOO_LARGE. The transport keeps a few small objects for each server's address for
 * ever.
 *
 * <p>UNREACHABLE means that the request was never written to a connection. There are three reasons. The server could
 * not be reached before the call's deadline. The transport pauses between attempts after failures. Another server
 * answers at the address. BUSY from this transport also means that the request was never written. Either too many calls
 * are under way, or the server has no room for a connection. UNAVAILABLE means that the server ended the connection in
 * order, and did not execute the request. CONNECTION_LOST and TIMED_OUT mean only that the request was written: the
 * server may have executed the request.
 *
 * <p>Many clients may use the same connections. Each client uses its own {@link #share}.
 */
public final class NettyTransport implements Transport {
    private final Introduction introduction;
    private final EventLoops loops;
    private final NettyOptions options;
    private final Optional<SocketFiles> socketFiles;
    private final Clock clock;
    private final TransportShare own;
    private final ConcurrentHashMap<ServerAddress, ClientConnection> connections = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** Makes a transport for a client. The client acts for the user who runs this process. */
    public NettyTransport(EventLoops loops, NettyOptions options, MessageCounters counters, Clock clock) {
        this(loops, options, counters, clock, Introduction.client());
    }

    /** @param introduction tells servers who this process is, when the transport opens connections */
    public NettyTransport(
            EventLoops loops, NettyOptions options, MessageCounters counters, Clock clock, Introduction introduction) {
        this.introduction = introduction;
        this.loops = loops;
        this.options = options;
        this.socketFiles = loops.socketFiles(options);
        this.clock = clock;
        this.own = new TransportShare(this, options, counters);
    }

    /**
     * Makes one client's part of this transport. The part uses the same connections. The part has its own counters, and
     * its own limits on calls under way. Even if other clients have many calls at a server, some calls of this client
     * are sent. Closing the part ends the client's calls, but no connection.
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
                    server, address -> new ClientConnection(address, loops, options, socketFiles, clock, introduction));
            if (closed) {
                // The transport was closed after the check above. The closing thread may have missed this connection.
                connection.close();
            }
        }
        return connection.send(request, server.meant(), timeoutMillis, share);
    }

    /**
     * Ends all connections. Calls without a reply fail with CONNECTION_LOST or UNREACHABLE. Later calls fail with
     * UNREACHABLE.
     */
    @Override
    public void close() {
        closed = true;
        connections.values().forEach(ClientConnection::close);
    }
}
