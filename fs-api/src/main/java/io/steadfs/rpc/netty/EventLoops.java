package io.steadfs.rpc.netty;

import io.netty.channel.Channel;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.IoEventLoop;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.ServerChannel;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.epoll.EpollDomainSocketChannel;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.epoll.EpollServerDomainSocketChannel;
import io.netty.channel.epoll.EpollServerSocketChannel;
import io.netty.channel.epoll.EpollSocketChannel;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioServerSocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import java.io.IOException;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;

/**
 * The threads that send and receive bytes. They use native epoll if this machine has epoll, and otherwise NIO. The
 * servers and transports of a process share the event loops, and must be closed before the event loops. The threads are
 * daemons. A thread that waits for a reply may run an event loop itself, see {@link LentLoop}.
 */
public final class EventLoops implements AutoCloseable {
    public static final ConfigKey<Long> THREADS = ConfigKey.number(
            "stead.rpc.threads",
            0,
            0,
            1024,
            "",
            "Threads that read and write connections; 0 = as many as processors, at most 8.");

    private static final long CLOSE_TIMEOUT_MILLIS = 5_000;

    /** Property that says whether Netty tells Java's flight recorder of each buffer. In a shaded jar its name is longer. */
    private static final String BUFFER_EVENTS = "io.netty.jfr.enabled";

    static {
        // To prepare the flight recorder takes 80 ms of a process's first call. Whoever wants the events sets the
        // property.
        if (System.getProperty(BUFFER_EVENTS) == null) {
            System.setProperty(BUFFER_EVENTS, "false");
        }
    }

    private final EventLoopGroup group;
    private final HostLookup lookup;
    private final LastSender lastSender = new LastSender();
    private final boolean epoll;

    private EventLoops(String threadName, int threads, boolean epoll, boolean mayLend, long lookMillis) {
        this.epoll = epoll;
        IoHandlerFactory io = epoll ? EpollIoHandler.newFactory() : NioIoHandler.newFactory();
        this.lookup = new HostLookup(threadName + "-names");
        this.group = new MultiThreadIoEventLoopGroup(threads, new DefaultThreadFactory(threadName, true), io) {
            @Override
            protected IoEventLoop newChild(Executor executor, IoHandlerFactory factory, Object... args) {
                return new LentLoop(this, executor, factory, mayLend, lookMillis);
            }
        };
    }

    public static EventLoops open(String threadName, Settings settings) {
        return new EventLoops(threadName, threads(settings), Epoll.isAvailable(), false, LentLoop.LOOK_MILLIS);
    }

    /**
     * Makes event loops that threads which wait for replies may run, see {@link LentLoop}. Only transports may use
     * them, and no server. Without epoll they are like other event loops: Java closes a connection if an interrupted
     * thread uses it.
     */
    public static EventLoops openForCallers(String threadName, Settings settings) {
        return openForCallers(threadName, settings, LentLoop.LOOK_MILLIS);
    }

    /** @param lookMillis how often an event loop's own thread looks at it, while waiting threads may run it */
    static EventLoops openForCallers(String threadName, Settings settings, long lookMillis) {
        boolean epoll = Epoll.isAvailable();
        return new EventLoops(threadName, threads(settings), epoll, epoll, lookMillis);
    }

    private static int threads(Settings settings) {
        int threads = settings.get(THREADS).intValue();
        return threads == 0 ? Math.min(8, Runtime.getRuntime().availableProcessors()) : threads;
    }

    /** Makes event loops without native code, even if the machine has epoll. */
    public static EventLoops openPortable(String threadName, int threads) {
        return new EventLoops(threadName, threads, false, false, LentLoop.LOOK_MILLIS);
    }

    /** Whether native epoll is in use. */
    public boolean isNative() {
        return epoll;
    }

    EventLoopGroup group() {
        return group;
    }

    HostLookup lookup() {
        return lookup;
    }

    LastSender lastSender() {
        return lastSender;
    }

    LentLoop next() {
        return (LentLoop) group.next();
    }

    Class<? extends ServerChannel> serverChannel() {
        return epoll ? EpollServerSocketChannel.class : NioServerSocketChannel.class;
    }

    Class<? extends SocketChannel> socketChannel() {
        return epoll ? EpollSocketChannel.class : NioSocketChannel.class;
    }

    /** The socket files that the options name. Empty = TCP alone: the options say so, or there is no epoll. */
    Optional<SocketFiles> socketFiles(NettyOptions options) {
        return epoll ? SocketFiles.in(options.socketDirectory()) : Optional.empty();
    }

    /** The kind of channel that listens at a socket file. Only if there are {@link #socketFiles}. */
    Class<? extends ServerChannel> serverFileChannel() {
        return EpollServerDomainSocketChannel.class;
    }

    /** The kind of channel that connects to a socket file. Only if there are {@link #socketFiles}. */
    Class<? extends Channel> fileChannel() {
        return EpollDomainSocketChannel.class;
    }

    /**
     * Number of the user whose process listens at the socket file to which the channel is connected.
     *
     * @param channel a {@link #fileChannel}
     */
    static int listenersUser(Channel channel) throws IOException {
        return ((EpollDomainSocketChannel) channel).peerCredentials().uid();
    }

    /** Whether all threads have ended. */
    boolean isOver() {
        return group.isTerminated();
    }

    /** Ends the threads, and waits up to 5 seconds for their end. */
    @Override
    public void close() {
        lookup.close();
        group.shutdownGracefully(0, CLOSE_TIMEOUT_MILLIS, TimeUnit.MILLISECONDS)
                .awaitUninterruptibly(CLOSE_TIMEOUT_MILLIS);
    }
}
