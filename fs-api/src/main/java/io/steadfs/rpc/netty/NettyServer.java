package io.steadfs.rpc.netty;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.DuplexChannel;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.unix.DomainSocketAddress;
import io.steadfs.hello.Welcome;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.ServerLoad;
import io.steadfs.time.Clock;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on one port, and at a socket file beside it ({@link SocketFiles}). Hands each decoded request to a handler, on
 * the event loop of its connection. For each connection, the number and the bytes of the requests at work are limited. At a limit, the server does not read the
 * socket. While the client does not read its replies, the server does not read the socket either. Bad input ends the
 * connection of its sender, and has no effect on other connections. {@link ConnectionLimits} limits the number of
 * connections. {@link FrameBudget} limits the memory of incomplete frames.
 */
// The outcome of a write or close comes as an event of the channel.
@SuppressWarnings("FutureReturnValueIgnored")
public final class NettyServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NettyServer.class);
    /** How long a stop waits for a listening channel, whose event loop may wait for a disk. */
    private static final long CLOSE_MILLIS = 10_000;

    /** The name of a peer that came by the socket file, for people. */
    static final String BY_FILE = "socket file";

    static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(256 << 10, 1 << 20);

    /**
     * Size of the kernel's buffer for bytes that one end of a socket file's connection has sent and the other has not
     * read. The kernel doubles the size, and has a bound of its own. With the kernel's default of 208 KiB a MiB goes in
     * five parts, and each part wakes both ends.
     */
    static final int FILE_SEND_BYTES = 1 << 20;

    /**
     * Chooses the sizes of socket reads. The sizes grow while each read fills its buffer. So file data needs few large
     * reads, and metadata needs small reads.
     */
    static RecvByteBufAllocator readSizes() {
        return new AdaptiveRecvByteBufAllocator(512, 8 << 10, 256 << 10);
    }

    private final Welcome welcome;
    private final NettyOptions options;
    private final RequestHandler handler;
    private final MessageCounters counters;
    private final Clock clock;
    private final RateLimitedLog peerLog;
    private final ConnectionLimits limits;
    private final FrameBudget budget;
    private final AtomicInteger refusedLingering = new AtomicInteger();
    private final Set<ServerConnection> connections = ConcurrentHashMap.newKeySet();
    private final Channel listening;
    private final ServerAddress address;
    private final LastSender lastSender;
    private final Optional<AtFile> atFile;
    private volatile boolean stopping;

    private NettyServer(
            EventLoops loops,
            String host,
            int port,
            NettyOptions options,
            RequestHandler handler,
            MessageCounters counters,
            Clock clock,
            Welcome welcome)
            throws IOException {
        this.welcome = welcome;
        this.options = options;
        this.handler = handler;
        this.counters = counters;
        this.clock = clock;
        this.peerLog = new RateLimitedLog(LOG, clock);
        this.limits = new ConnectionLimits(options);
        this.lastSender = loops.lastSender();
        this.budget = new FrameBudget(options.incompleteBytes(), clock);
        ChannelFuture bound = new ServerBootstrap()
                .group(loops.group())
                .channel(loops.serverChannel())
                .option(ChannelOption.SO_REUSEADDR, true)
                .option(ChannelOption.SO_BACKLOG, 1024)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.SO_KEEPALIVE, true)
                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                .childOption(ChannelOption.RECVBUF_ALLOCATOR, readSizes())
                .childHandler(new Accepted())
                .bind(new InetSocketAddress(host, port))
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            Throwable cause = bound.cause();
            throw new IOException("cannot listen on " + host + ":" + port + ": " + cause.getMessage(), cause);
        }
        this.listening = bound.channel();
        InetSocketAddress local = (InetSocketAddress) listening.localAddress();
        this.address = new ServerAddress(host, local.getPort());
        this.atFile = loops.socketFiles(options).flatMap(files -> listenAt(files, local, loops));
    }

    /** The socket file at which a server listens, and the channel that does. */
    private record AtFile(Path file, Channel channel) {
        void close() {
            channel.close().awaitUninterruptibly(CLOSE_MILLIS);
            try {
                Files.deleteIfExists(file);
            } catch (IOException e) {
                LOG.warn("{} is left behind, which does no harm", file, e);
            }
        }
    }

    /** Listens at the socket file that belongs to the port. If that is not possible, there is TCP alone. */
    private Optional<AtFile> listenAt(SocketFiles files, InetSocketAddress local, EventLoops loops) {
        try {
            Path file = files.prepare(local);
            ChannelFuture bound = new ServerBootstrap()
                    .group(loops.group())
                    .channel(loops.serverFileChannel())
                    .option(ChannelOption.SO_BACKLOG, 1024)
                    .childOption(ChannelOption.SO_SNDBUF, FILE_SEND_BYTES)
                    .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, WATER_MARK)
                    .childOption(ChannelOption.RECVBUF_ALLOCATOR, readSizes())
                    .childHandler(new Accepted())
                    .bind(new DomainSocketAddress(file.toFile()))
                    .awaitUninterruptibly();
            if (!bound.isSuccess()) {
                throw new IOException("cannot listen at " + file + ": " + bound.cause(), bound.cause());
            }
            AtFile at = new AtFile(file, bound.channel());
            try {
                files.share(file);
            } catch (IOException e) {
                at.close();
                throw e;
            }
            return Optional.of(at);
        } catch (IOException e) {
            LOG.warn("{} serves TCP alone ({}): {}", address, SocketFiles.DIRECTORY.name(), e.getMessage());
            return Optional.empty();
        }
    }

    /**
     * Starts a server that listens on the given port.
     *
     * @param host name or address of the interface; {@code 0.0.0.0} for all
     * @param port TCP port; 0 = any free port, see {@link #address}
     * @param welcome tells peers that connect who this server is
     * @throws IOException if the server cannot listen at host and port; the message names both
     */
    public static NettyServer listen(
            EventLoops loops,
            String host,
            int port,
            NettyOptions options,
            RequestHandler handler,
            MessageCounters counters,
            Clock clock,
            Welcome welcome)
            throws IOException {
        return new NettyServer(loops, host, port, options, handler, counters, clock, welcome);
    }

    /** The given host and the port in use. */
    public ServerAddress address() {
        return address;
    }

    /** Number of connections that are open now. */
    public int connections() {
        return connections.size();
    }

    Welcome welcome() {
        return welcome;
    }

    NettyOptions options() {
        return options;
    }

    RequestHandler handler() {
        return handler;
    }

    MessageCounters counters() {
        return counters;
    }

    ServerLoad load() {
        return counters.load();
    }

    Clock clock() {
        return clock;
    }

    RateLimitedLog peerLog() {
        return peerLog;
    }

    boolean isStopping() {
        return stopping;
    }

    ConnectionLimits limits() {
        return limits;
    }

    /** Budget for the incomplete frames of all connections. */
    FrameBudget budget() {
        return budget;
    }

    LastSender lastSender() {
        return lastSender;
    }

    /** Notes that a connection is closed. To be called once for each connection. */
    void closed(ServerConnection connection) {
        load().disconnected();
        lastSender.closed(connection);
        limits.left(connection.address());
        connections.remove(connection);
    }

    /**
     * Stops in order. The socket file is removed first, while this server still holds the port: later the file could be
     * that of the next server at the port. (If an event loop hangs, the file may be removed later, and clients of the
     * next server use TCP.) The server accepts and reads nothing more, sends the replies of the requests
     * at work, and closes the connections. The server waits for the requests for {@code stead.rpc.stop.timeout} at the
     * longest. Must not be called on an event loop.
     */
    @Override
    public void close() {
        stopping = true;
        atFile.ifPresent(AtFile::close);
        listening.close().awaitUninterruptibly(CLOSE_MILLIS);
        List<ServerConnection> open = new ArrayList<>(connections);
        CountDownLatch left = new CountDownLatch(open.size());
        for (ServerConnection connection : open) {
            connection.stop(left::countDown);
        }
        boolean inTime = false;
        try {
            inTime = left.await(options.stopTimeoutMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (!inTime) {
            LOG.warn(
                    "server on {} stops with {} connections still at work after {} ms",
                    address,
                    left.getCount(),
                    options.stopTimeoutMillis());
        }
        for (ServerConnection connection : connections) {
            connection.closeNow();
        }
    }

    /** Prepares each accepted connection. */
    private final class Accepted extends ChannelInitializer<DuplexChannel> {
        @Override
        protected void initChannel(DuplexChannel channel) {
            if (stopping) {
                channel.close();
                return;
            }
            InetSocketAddress peer = peer(channel);
            if (peer == null) {
                // The peer has closed the connection already.
                channel.close();
                return;
            }
            Optional<String> refusal = limits.admit(peer.getAddress());
            if (refusal.isPresent()) {
                String name = peer.getPort() == 0 ? BY_FILE : peer.getAddress().getHostAddress() + ":" + peer.getPort();
                peerLog.warn(name, "refused: " + refusal.get());
                load().connectionRefused();
                channel.pipeline().addLast(new RefusedConnection(channel, refusal.get(), refusedLingering));
                return;
            }
            ServerConnection connection = new ServerConnection(NettyServer.this, channel, peer);
            load().connected();
            connections.add(connection);
            channel.pipeline().addLast(connection);
            if (stopping) {
                connection.closeNow();
            }
        }

        /**
         * The peer's address. A peer that came by the socket file is of this machine, and counts as its loopback address
         * with port 0. Null if the peer has closed the connection already.
         */
        private @Nullable InetSocketAddress peer(DuplexChannel channel) {
            SocketAddress remote = channel.remoteAddress();
            return channel instanceof SocketChannel
                    ? (InetSocketAddress) remote
                    : new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        }
    }
}
