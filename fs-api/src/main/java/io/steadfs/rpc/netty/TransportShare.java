package io.steadfs.rpc.netty;

import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;

/**
 * One client's part of a transport that many clients use. The clients share the connections. Each client has its own
 * counters, and its own limits on calls under way. Closing a share ends its client's calls, but no connection.
 */
final class TransportShare implements Transport {
    private final NettyTransport transport;
    private final NettyOptions options;
    private final MessageCounters counters;
    private final ConcurrentHashMap<ClientConnection, Room> rooms = new ConcurrentHashMap<>();
    private volatile boolean closed;

    TransportShare(NettyTransport transport, NettyOptions options, MessageCounters counters) {
        this.transport = transport;
        this.options = options;
        this.counters = counters;
    }

    MessageCounters counters() {
        return counters;
    }

    Room roomAt(ClientConnection connection) {
        Room room = rooms.get(connection);
        return room != null ? room : rooms.computeIfAbsent(connection, unused -> new Room(options));
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public CompletableFuture<Reply> send(ServerAddress server, Request request, long timeoutMillis) {
        return transport.send(server, request, timeoutMillis, this);
    }

    @Override
    public void close() {
        closed = true;
        rooms.keySet().forEach(connection -> connection.leave(this));
    }
}
