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

    /**
     * The ways to a server.
     *
     * @param file socket file of the server, to be tried first; empty = TCP alone
     */
    record Ways(InetSocketAddress address, Optional<Path> file) {}

    HostLookup(String threadName) {
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
     *
     * @param files where to look for the file; empty = nowhere
     */
    CompletableFuture<Ways> find(ServerAddress server, Optional<SocketFiles> files) {
        byte[] literal = NetUtil.createByteArrayFromIpAddressString(server.host());
        return literal != null && files.isEmpty()
                ? CompletableFuture.completedFuture(lookUp(server, literal, files))
                : CompletableFuture.supplyAsync(() -> lookUp(server, literal, files), threads);
    }

    private static Ways lookUp(ServerAddress server, byte @Nullable [] literal, Optional<SocketFiles> files) {
        try {
            InetAddress host = literal == null
                    ? InetAddress.getByName(server.host())
                    : InetAddress.getByAddress(server.host(), literal);
            InetSocketAddress address = new InetSocketAddress(host, server.port());
            return new Ways(address, files.flatMap(all -> all.find(address)));
        } catch (UnknownHostException e) {
            throw new CompletionException(e);
        }
    }

    @Override
    public void close() {
        threads.shutdownNow();
    }
}
