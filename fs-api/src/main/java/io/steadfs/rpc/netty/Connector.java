package io.steadfs.rpc.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.channel.unix.DomainSocketAddress;
import io.steadfs.error.FsError;
import io.steadfs.hello.PeerName;
import io.steadfs.rpc.ServerAddress;
import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Makes the connections to one server, one attempt at a time. An attempt looks up the host and connects. Then the
 * {@link ClientLink} says HELLO. An attempt ends with the server's answer to HELLO, or with an error in plain words. The
 * connector belongs to the connection's event loop.
 *
 * <p>If the server has a socket file on this machine ({@link SocketFiles}), the attempt connects by the file. If that
 * fails, or HELLO fails there, the same attempt connects by TCP. So a file that is out of date costs a moment, and no
 * call. Only a server that has no room for the connection (BUSY) is not asked again by TCP.
 */
// The outcome of a close comes as an event of the channel.
@SuppressWarnings("FutureReturnValueIgnored")
final class Connector {
    private static final Logger LOG = LoggerFactory.getLogger(Connector.class);
    /** The least number of a connection without a port: above all ports. */
    private static final int LEAST_NUMBER = 1 << 16;

    private final ClientConnection connection;
    private final ServerAddress server;
    private final EventLoops loops;
    private final EventLoop loop;
    private final NettyOptions options;
    private final Optional<SocketFiles> socketFiles;

    private boolean connecting;
    /** Whether the server's machine accepted the connection in this attempt. HELLO may not be answered yet. */
    private boolean accepted;
    /** The address to connect to by TCP, while the attempt is by the socket file. Null = the attempt is by TCP. */
    private @Nullable InetSocketAddress orByTcp;

    private PeerName meant = PeerName.ANYBODY;

    Connector(
            ClientConnection connection,
            ServerAddress server,
            EventLoops loops,
            EventLoop loop,
            NettyOptions options,
            Optional<SocketFiles> socketFiles) {
        this.connection = connection;
        this.server = server;
        this.loops = loops;
        this.loop = loop;
        this.options = options;
        this.socketFiles = socketFiles;
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
    void connect(PeerName server) {
        meant = server;
        connecting = true;
        accepted = false;
        orByTcp = null;
        var unused = loops.lookup()
                .find(this.server, socketFiles)
                .whenComplete((ways, failure) -> connection.execute(() -> {
                    if (connection.isClosed()) {
                        connecting = false;
                    } else if (ways == null) {
                        notConnected(failure instanceof CompletionException wrapped ? wrapped.getCause() : failure);
                    } else if (ways.file().isPresent()) {
                        connectByFile(ways.file().get(), ways.address());
                    } else {
                        connectByTcp(ways.address());
                    }
                }));
    }

    /**
     * A Unix domain socket connects at once or not at all, so there is no timeout. It fails if nobody listens there, and
     * if too many connections wait for the server to accept them.
     */
    private void connectByFile(SocketFiles.Found file, InetSocketAddress address) {
        int number = ThreadLocalRandom.current().nextInt(LEAST_NUMBER, Integer.MAX_VALUE);
        ClientLink made = new ClientLink(connection, this, meant, number);
        ChannelFuture attempt = new Bootstrap()
                .group(loop)
                .channel(loops.fileChannel())
                .option(ChannelOption.SO_SNDBUF, NettyServer.FILE_SEND_BYTES)
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, NettyServer.WATER_MARK)
                .handler(made)
                .connect(new DomainSocketAddress(file.path().toFile()));
        attempt.addListener(done -> {
            if (connection.isClosed() || (done.isSuccess() && isOfItsServer(attempt.channel(), file))) {
                orByTcp = address;
                ended(attempt, made);
            } else {
                LOG.debug("{}: nobody answers at {}, TCP is used", server, file, done.cause());
                attempt.channel().close();
                connectByTcp(address);
            }
        });
    }

    private boolean isOfItsServer(Channel channel, SocketFiles.Found file) {
        try {
            int user = EventLoops.listenersUser(channel);
            if (!file.mayBeOf(user)) {
                LOG.warn(
                        "{}: user {} listens at {}, which belongs to user {}; TCP is used",
                        server,
                        Integer.toUnsignedString(user),
                        file.path(),
                        Integer.toUnsignedString(file.owner()));
                return false;
            }
            return true;
        } catch (IOException e) {
            LOG.debug("{}: {} is closed already", server, file, e);
            return false;
        }
    }

    private void connectByTcp(InetSocketAddress address) {
        ClientLink made = new ClientLink(connection, this, meant, 0);
        ChannelFuture attempt = new Bootstrap()
                .group(loop)
                .channel(loops.socketChannel())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, options.connectTimeoutMillis())
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, NettyServer.WATER_MARK)
                .handler(made)
                .connect(address);
        attempt.addListener(done -> ended(attempt, made));
    }

    private void ended(ChannelFuture attempt, ClientLink made) {
        if (!attempt.isSuccess()) {
            notConnected(attempt.cause());
        } else if (connection.isClosed()) {
            connecting = false;
            attempt.channel().close();
        } else if (attempt.channel().isActive()) {
            accepted = true;
            made.greet();
        } else {
            failed(FsError.UNREACHABLE, "closed as soon as it was open", null);
        }
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
        InetSocketAddress tcp = orByTcp;
        if (tcp != null && error != FsError.BUSY && !connection.isClosed()) {
            orByTcp = null;
            accepted = false;
            LOG.debug("{}: TCP is used, since at the socket file: {}", server, why);
            connectByTcp(tcp);
            return;
        }
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
