package io.steadfs.rpc.netty;

import io.netty.bootstrap.ServerBootstrap;
import io.netty.channel.AdaptiveRecvByteBufAllocator;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.RecvByteBufAllocator;
import io.netty.channel.WriteBufferWaterMark;
import io.netty.channel.socket.SocketChannel;
import io.steadfs.hello.Welcome;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.ServerLoad;
import io.steadfs.time.Clock;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Listens on one port and hands each decoded request to a handler, on the event loop of its connection. Per connection the number and bytes
 * of requests at work are bounded. Above a bound, and while the client does not read its replies, the socket is not read. Bad input costs
 * its sender the connection, and costs nobody else anything. {@link ConnectionLimits} bounds the connections, {@link FrameBudget} the
 * memory of incomplete frames.
 */
// The outcome of a write or close comes as an event of the channel.
@SuppressWarnings("FutureReturnValueIgnored")
public final class NettyServer implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(NettyServer.class);
    static final WriteBufferWaterMark WATER_MARK = new WriteBufferWaterMark(256 << 10, 1 << 20);

    /** Socket reads grow while they are filled: large and few for file data, small for metadata. */
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
        this.address = new ServerAddress(host, ((InetSocketAddress) listening.localAddress()).getPort());
    }

    /**
     * Listens from now on.
     *
     * @param host name or address of the interface; {@code 0.0.0.0} for all
     * @param port 0 for any free one, see {@link #address}
     * @param welcome who this server is, for peers that connect
     * @throws IOException naming host and port if it cannot listen there
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

    /** The host as given and the port in use. */
    public ServerAddress address() {
        return address;
    }

    /** Connections that are open now. */
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

    /** Budget of the frames of all connections. */
    FrameBudget budget() {
        return budget;
    }

    /** To be called once for each connection. */
    void closed(ServerConnection connection) {
        load().disconnected();
        limits.left(connection.address());
        connections.remove(connection);
    }

    /**
     * Stops in order. The server accepts and reads nothing more, sends the replies of the requests at work, and closes the connections. Waits for the requests up to {@code stead.rpc.stop.timeout}. Not to be called on an event loop.
     */
    @Override
    public void close() {
        stopping = true;
        listening.close().awaitUninterruptibly();
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
    private final class Accepted extends ChannelInitializer<SocketChannel> {
        @Override
        protected void initChannel(SocketChannel channel) {
            if (stopping) {
                channel.close();
                return;
            }
            InetSocketAddress peer = channel.remoteAddress();
            if (peer == null) {
                // The peer has left already.
                channel.close();
                return;
            }
            Optional<String> refusal = limits.admit(peer.getAddress());
            if (refusal.isPresent()) {
                peerLog.warn(peer.getAddress().getHostAddress() + ":" + peer.getPort(), "refused: " + refusal.get());
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
    }
}
