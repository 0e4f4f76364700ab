package io.steadfs.rpc.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.steadfs.error.FsError;
import io.steadfs.hello.PeerName;
import io.steadfs.rpc.ServerAddress;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;

/**
 * Makes the connections to one server, one attempt at a time. An attempt looks up the host and connects. Then the
 * {@link ClientLink} says HELLO. An attempt ends with the server's answer to HELLO, or with an error in plain words.
 * The connector belongs to the connection's event loop.
 */
// The outcome of a close comes as an event of the channel.
@SuppressWarnings("FutureReturnValueIgnored")
final class Connector {
    private final ClientConnection connection;
    private final ServerAddress server;
    private final EventLoops loops;
    private final EventLoop loop;
    private final NettyOptions options;

    private boolean connecting;
    /** Whether the server's machine accepted the TCP connection in this attempt. HELLO may not be answered yet. */
    private boolean accepted;

    Connector(
            ClientConnection connection, ServerAddress server, EventLoops loops, EventLoop loop, NettyOptions options) {
        this.connection = connection;
        this.server = server;
        this.loops = loops;
        this.loop = loop;
        this.options = options;
    }

    /** Whether an attempt is under way. */
    boolean isConnecting() {
        return connecting;
    }

    /** What the last attempt did not reach, in words, for the error of a call whose time is over. */
    String missing() {
        return accepted ? "no answer to HELLO" : "no connection";
    }

    /** Begins an attempt. Must not be called while another attempt is under way. */
    void connect(PeerName meant) {
        connecting = true;
        accepted = false;
        var unused = loops.lookup()
                .find(server)
                .whenComplete((address, failure) -> connection.execute(() -> {
                    if (connection.isClosed()) {
                        connecting = false;
                    } else if (address == null) {
                        notConnected(failure instanceof CompletionException wrapped ? wrapped.getCause() : failure);
                    } else {
                        connect(meant, address);
                    }
                }));
    }

    private void connect(PeerName meant, InetSocketAddress address) {
        ClientLink made = new ClientLink(connection, this, meant);
        ChannelFuture attempt = new Bootstrap()
                .group(loop)
                .channel(loops.socketChannel())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, options.connectTimeoutMillis())
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, NettyServer.WATER_MARK)
                .option(ChannelOption.RECVBUF_ALLOCATOR, NettyServer.readSizes())
                .handler(made)
                .connect(address);
        attempt.addListener(done -> {
            if (!done.isSuccess()) {
                notConnected(done.cause());
            } else if (connection.isClosed()) {
                connecting = false;
                attempt.channel().close();
            } else if (attempt.channel().isActive()) {
                accepted = true;
                made.greet();
            } else {
                failed(FsError.UNREACHABLE, "closed as soon as it was open", null);
            }
        });
    }

    /** Ends the attempt after the server has answered HELLO. Requests may be sent from now on. */
    void connected(ClientLink link) {
        connecting = false;
        connection.connected(link);
    }

    /**
     * Ends the attempt with an error.
     *
     * @param concerned only calls to this server fail, because another server answered; null = all calls fail
     */
    void failed(FsError error, String why, @Nullable PeerName concerned) {
        connecting = false;
        connection.notConnected(error, why, concerned);
    }

    private void notConnected(@Nullable Throwable cause) {
        if (cause instanceof UnknownHostException) {
            failed(FsError.UNKNOWN_HOST, "no machine of this name is known", null);
        } else {
            failed(FsError.UNREACHABLE, why(cause), null);
        }
    }

    /** The reason in words. The server's address is left out, because every message begins with the address. */
    private String why(@Nullable Throwable cause) {
        if (cause instanceof ConnectTimeoutException) {
            return "no connection within " + options.connectTimeoutMillis() + " ms";
        }
        String message = cause == null ? "" : String.valueOf(cause.getMessage());
        return cause instanceof ConnectException && message.contains("refused")
                ? "connection refused: nothing listens there"
                : message;
    }
}
