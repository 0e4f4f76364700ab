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
 * Sends requests over one connection per server. The first request to a server makes the connection. After a loss or an
 * idle time, the next request makes a new connection. Futures complete on the event loop of the connection. A call
 * above the limits of {@link NettyOptions} is refused with BUSY before anything is sent. A request above the frame
 * limits is refused with TOO_LARGE. For each server's address, a few small objects stay in memory for ever.
 *
 * <p>UNREACHABLE means that the request was never written to a connection. UNREACHABLE has three possible causes: the
 * server could not be reached, a pause after failures is running, or another server answered at the address. BUSY from
 * the client's side also means that the request was never written. BUSY has two possible causes: too many calls are
 * under way, or the server accepts no further connection. UNAVAILABLE means that the server ended the connection
 * without an error, and did not execute the request. CONNECTION_LOST and TIMED_OUT mean that the request was written
 * but its outcome is unknown.
 *
 * <p>Many clients may use the same connections. Each client uses a {@link #share} of its own.
 */
public final class NettyTransport implements Transport {
    private final Introduction introduction;
    private final EventLoops loops;
    private final NettyOptions options;
    private final Clock clock;
    private final TransportShare own;
    private final ConcurrentHashMap<ServerAddress, ClientConnection> connections = new ConcurrentHashMap<>();
    private volatile boolean closed;

    /** Makes a transport for a client of the user who runs this process. */
    public NettyTransport(EventLoops loops, NettyOptions options, MessageCounters counters, Clock clock) {
        this(loops, options, counters, clock, Introduction.client());
    }

    /** @param introduction how the transport introduces itself to servers */
    public NettyTransport(
            EventLoops loops, NettyOptions options, MessageCounters counters, Clock clock, Introduction introduction) {
        this.introduction = introduction;
        this.loops = loops;
        this.options = options;
        this.clock = clock;
        this.own = new TransportShare(this, options, counters);
    }

    /**
     * Makes a part of this transport for one client. The part uses the connections of this transport, but has its own
     * counters and its own limits on calls. Even if other clients have many calls at a server, some calls of this
     * client are sent. Closing the part ends the calls of the part, but no connection.
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
                // Another thread has closed the transport since the check above. The close may have missed this
                // connection.
                connection.close();
            }
        }
        return connection.send(request, server.meant(), timeoutMillis, share);
    }

    /**
     * Ends all connections. Unanswered calls fail with CONNECTION_LOST or UNREACHABLE. Later calls fail with
     * UNREACHABLE.
     */
    @Override
    public void close() {
        closed = true;
        connections.values().forEach(ClientConnection::close);
    }
}
