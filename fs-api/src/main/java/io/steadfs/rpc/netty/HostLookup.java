package io.steadfs.rpc.netty;

import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.steadfs.rpc.ServerAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks up the addresses of hosts, and the socket files of servers, on threads of its own. If a name server does not
 * answer, a lookup blocks its thread for many seconds. A lookup must not block an event loop, because an event loop also
 * serves connections to other servers. Files have other threads than names. The few threads are daemons, and end when
 * there is nothing to look up. The queue of lookups has no limit: its length is at most the number of connections being
 * made.
 */
final class HostLookup implements AutoCloseable {
    private static final int THREADS = 4;
    private static final long IDLE_SECONDS = 10;

    /** How long a look for a socket file may take, in milliseconds. */
    private static final long LOOK_MILLIS = 1_000;

    private final ThreadPoolExecutor threads;
    private final ThreadPoolExecutor fileThreads;

    /**
     * The ways to a server.
     *
     * @param file socket file of the server, to be tried first; empty = TCP alone
     */
    record Ways(InetSocketAddress address, Optional<SocketFiles.Found> file) {}

    HostLookup(String threadName) {
        threads = pool(threadName);
        fileThreads = pool(threadName + "-files");
    }

    private static ThreadPoolExecutor pool(String threadName) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                THREADS,
                THREADS,
                IDLE_SECONDS,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                new DefaultThreadFactory(threadName, true));
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    /**
     * Looks up the address of the server's host, and the server's socket file. If the host is unknown, the future fails
     * with {@link UnknownHostException}. If it takes long to look for the file, there is none. After this object was
     * closed, the future fails with a rejection. The future completes on any thread.
     *
     * @param files where to look for the file; empty = nowhere
     */
    CompletableFuture<Ways> find(ServerAddress server, Optional<SocketFiles> files) {
        CompletableFuture<InetSocketAddress> address = address(server);
        return files.isEmpty()
                ? address.thenApply(found -> new Ways(found, Optional.empty()))
                : address.thenCompose(
                        found -> CompletableFuture.supplyAsync(() -> files.get().find(found), fileThreads)
                                .completeOnTimeout(Optional.empty(), LOOK_MILLIS, TimeUnit.MILLISECONDS)
                                .thenApply(file -> new Ways(found, file)));
    }

    private CompletableFuture<InetSocketAddress> address(ServerAddress server) {
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(server.host());
        if (literal != null) {
            try {
                return CompletableFuture.completedFuture(
                        new InetSocketAddress(InetAddress.getByAddress(server.host(), literal), server.port()));
            } catch (UnknownHostException e) {
                return CompletableFuture.failedFuture(e);
            }
        }
        return CompletableFuture.supplyAsync(() -> lookUp(server), threads);
    }

    private static InetSocketAddress lookUp(ServerAddress server) {
        try {
            return new InetSocketAddress(InetAddress.getByName(server.host()), server.port());
        } catch (UnknownHostException e) {
            throw new CompletionException(e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
        fileThreads.shutdownNow();
    }
}
