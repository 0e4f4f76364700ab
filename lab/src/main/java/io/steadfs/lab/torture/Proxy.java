package io.steadfs.lab.torture;

import io.netty.bootstrap.Bootstrap;
import io.netty.bootstrap.ServerBootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelException;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.IntFunction;

/**
 * Stands between processes and passes their bytes on according to {@link Links}.
 *
 * <p>A server listens on {@value #REAL_HOST}:port. The server announces {@value #SHOWN_HOST}:port as its address, and
 * the proxy listens there.
 *
 * <p>The proxy never leaves bytes out of the middle of a connection, because no network does so. Bytes that a rule
 * drops wait in the proxy. After the rule ends, the waiting bytes go on, or the proxy resets the connection.
 *
 * <p>All work for one connection happens on one event loop.
 */
final class Proxy implements AutoCloseable {
    static final String REAL_HOST = "127.0.0.1";
    static final String SHOWN_HOST = "127.0.0.2";

    /** Largest number of bytes of one direction that wait in the proxy. Further bytes wait in the sockets. */
    private static final int MOST_WAITING = 4 << 20;

    private final MultiThreadIoEventLoopGroup loops = new MultiThreadIoEventLoopGroup(2, NioIoHandler.newFactory());
    private final ExecutorService callers = Executors.newFixedThreadPool(2, task -> {
        Thread thread = new Thread(task, "proxy-who");
        thread.setDaemon(true);
        return thread;
    });
    private final Links links;
    private final IntFunction<String> sourceOfPort;

    /** @param sourceOfPort returns the name of the process whose socket has the given local port */
    Proxy(Links links, IntFunction<String> sourceOfPort) {
        this.links = links;
        this.sourceOfPort = sourceOfPort;
    }

    /** Makes the server of this name and port reachable through the proxy. */
    void serve(String target, int port) throws IOException {
        ChannelFuture bound = new ServerBootstrap()
                .group(loops)
                .channel(NioServerSocketChannel.class)
                .option(ChannelOption.SO_REUSEADDR, true)
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childHandler(new ChannelInitializer<Channel>() {
                    @Override
                    protected void initChannel(Channel accepted) {
                        accept(accepted, target, port);
                    }
                })
                .bind(SHOWN_HOST, port)
                .awaitUninterruptibly();
        if (!bound.isSuccess()) {
            throw new IOException(
                    "the proxy cannot listen on " + SHOWN_HOST + ":" + port + " for " + target + ": " + bound.cause(),
                    bound.cause());
        }
    }

    private void accept(Channel accepted, String target, int port) {
        int sourcePort = ((InetSocketAddress) accepted.remoteAddress()).getPort();
        callers.execute(() -> {
            String source = sourceOfPort.apply(sourcePort);
            accepted.eventLoop().execute(() -> connect(accepted, source, target, port));
        });
    }

    private void connect(Channel accepted, String source, String target, int port) {
        if (links.resets(source, target)) {
            reset(accepted);
            return;
        }
        Bootstrap bootstrap = new Bootstrap()
                .group(accepted.eventLoop())
                .channel(NioSocketChannel.class)
                .option(ChannelOption.AUTO_READ, false)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInboundHandlerAdapter());
        bootstrap.connect(REAL_HOST, port).addListener((ChannelFuture done) -> {
            if (done.isSuccess()) {
                new Connection(source, target, accepted, done.channel()).begin();
            } else {
                reset(accepted);
            }
        });
    }

    private static void reset(Channel channel) {
        try {
            channel.config().setOption(ChannelOption.SO_LINGER, 0);
        } catch (ChannelException e) {
            // The channel is closed already.
        }
        var unused = channel.close();
    }

    /** Two sockets, and the bytes that flow between the two sockets. */
    private final class Connection {
        private final String source;
        private final String target;
        private final Channel accepted;
        private final Channel connected;
        private final Flow requests;
        private final Flow replies;
        private final Runnable changed = this::changed;

        Connection(String source, String target, Channel accepted, Channel connected) {
            this.source = source;
            this.target = target;
            this.accepted = accepted;
            this.connected = connected;
            this.requests = new Flow(this, accepted, connected, true);
            this.replies = new Flow(this, connected, accepted, false);
        }

        void begin() {
            accepted.pipeline().addLast(requests);
            connected.pipeline().addLast(replies);
            links.watch(changed);
            if (!accepted.isActive() || !connected.isActive()) {
                end();
                return;
            }
            requests.pump();
            replies.pump();
        }

        /**
         * Asks for a reset before the work goes to the event loop. A rule that resets may exist for this moment only.
         */
        private void changed() {
            boolean resets = links.resets(source, target);
            accepted.eventLoop().execute(() -> {
                if (resets) {
                    end();
                } else {
                    requests.pump();
                    replies.pump();
                }
            });
        }

        /** Ends both sockets with a reset. */
        void end() {
            links.unwatch(changed);
            requests.forget();
            replies.forget();
            reset(accepted);
            reset(connected);
        }

        /**
         * Notes that one direction has passed on its last byte in order. After both directions have ended, the
         * connection no longer watches the rules.
         */
        void halfEnded() {
            if (requests.ended && replies.ended) {
                links.unwatch(changed);
            }
        }
    }

    private record Parcel(ByteBuf bytes, long dueNanos) {}

    /** One direction of a connection. */
    private final class Flow extends ChannelInboundHandlerAdapter {
        private final Connection connection;
        private final Channel in;
        private final Channel out;
        private final boolean toTarget;
        private final ArrayDeque<Parcel> waiting = new ArrayDeque<>();
        private long waitingBytes;
        private boolean inEnded;
        private boolean ended;
        private boolean scheduled;

        Flow(Connection connection, Channel in, Channel out, boolean toTarget) {
            this.connection = connection;
            this.in = in;
            this.out = out;
            this.toTarget = toTarget;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf bytes = (ByteBuf) message;
            if (ended) {
                bytes.release();
                return;
            }
            long delayMillis = links.delayMillis(connection.source, connection.target);
            waiting.add(new Parcel(bytes, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(delayMillis)));
            waitingBytes += bytes.readableBytes();
            pump();
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            inEnded = true;
            pump();
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext context) {
            Flow other = toTarget ? connection.replies : connection.requests;
            other.pump();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            connection.end();
        }

        void pump() {
            if (ended) {
                return;
            }
            boolean waits = links.waits(connection.source, connection.target, toTarget);
            while (!waits && out.isWritable() && !waiting.isEmpty()) {
                long left = waiting.peek().dueNanos() - System.nanoTime();
                if (left > 0) {
                    pumpIn(left);
                    break;
                }
                ByteBuf bytes = waiting.remove().bytes();
                waitingBytes -= bytes.readableBytes();
                var unused = out.writeAndFlush(bytes);
            }
            if (inEnded && waiting.isEmpty() && !waits) {
                ended = true;
                var unusedEnd = out.writeAndFlush(io.netty.buffer.Unpooled.EMPTY_BUFFER)
                        .addListener(io.netty.channel.ChannelFutureListener.CLOSE);
                connection.halfEnded();
                return;
            }
            in.config().setAutoRead(!waits && waitingBytes < MOST_WAITING && out.isWritable());
        }

        private void pumpIn(long nanos) {
            if (!scheduled) {
                scheduled = true;
                var unused = in.eventLoop()
                        .schedule(
                                () -> {
                                    scheduled = false;
                                    pump();
                                },
                                nanos,
                                TimeUnit.NANOSECONDS);
            }
        }

        void forget() {
            ended = true;
            waiting.forEach(parcel -> parcel.bytes().release());
            waiting.clear();
        }
    }

    @Override
    public void close() {
        callers.shutdownNow();
        loops.shutdownGracefully(0, 2, TimeUnit.SECONDS).awaitUninterruptibly();
    }
}
