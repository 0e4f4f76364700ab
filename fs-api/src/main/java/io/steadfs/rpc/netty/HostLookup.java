package io.steadfs.rpc.netty;

import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.steadfs.rpc.ServerAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Looks up the addresses of hosts, and the socket files of servers, on threads of its own. If a name server does not answer, a lookup blocks its thread
 * for many seconds. A lookup must not block an event loop, because an event loop also serves connections to other
 * servers. The few threads are daemons, and end when there is nothing to look up. The queue of lookups has no limit:
 * its length is at most the number of connections being made.
 */
final class HostLookup implements AutoCloseable {
    private static final int THREADS = 4;
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor threads;
    private final Optional<SocketFiles> socketFiles;

    /**
     * The ways to a server.
     *
     * @param file socket file of the server, to be tried first; empty = TCP alone
     */
    record Ways(InetSocketAddress address, Optional<Path> file) {}

    /** @param socketFiles where to look for the files of servers; empty = nowhere */
    HostLookup(String threadName, Optional<SocketFiles> socketFiles) {
        this.socketFiles = socketFiles;
        threads = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new DefaultThreadFactory(threadName, true));
        threads.allowCoreThreadTimeOut(true);
    }

    /**
     * Looks up the address of the server's host, and the server's socket file. If the host is unknown, the future fails
     * with {@link UnknownHostException}. After this object was closed, the future fails with a rejection. The future
     * completes on any thread.
     */
    CompletableFuture<Ways> find(ServerAddress server) {
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(server.host());
        return literal != null && socketFiles.isEmpty()
                ? CompletableFuture.completedFuture(lookUp(server, literal))
                : CompletableFuture.supplyAsync(() -> lookUp(server, literal), threads);
    }

    private Ways lookUp(ServerAddress server, byte @Nullable [] literal) {
        try {
            InetAddress host = literal == null
                    ? InetAddress.getByName(server.host())
                    : InetAddress.getByAddress(server.host(), literal);
            InetSocketAddress address = new InetSocketAddress(host, server.port());
            return new Ways(address, socketFiles.flatMap(files -> files.find(address)));
        } catch (UnknownHostException e) {
            throw new CompletionException(e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
