package io.steadfs.rpc.netty;

import io.netty.util.NetUtil;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.steadfs.rpc.ServerAddress;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/**
 * Looks up the addresses of hosts, on threads of its own. If a name server does not answer, a lookup blocks its thread
 * for many seconds. A lookup must not block an event loop, because an event loop also serves connections to other
 * servers. The few threads are daemons, and end when there is nothing to look up. The queue of lookups has no limit:
 * its length is at most the number of connections being made.
 */
final class HostLookup implements AutoCloseable {
    private static final int THREADS = 4;
    private static final long IDLE_SECONDS = 10;

    private final ThreadPoolExecutor threads;

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
     * Looks up the address of the server's host. If the host is unknown, the future fails with
     * {@link UnknownHostException}. After this object was closed, the future fails with a rejection. The future
     * completes on any thread.
     */
    CompletableFuture<InetSocketAddress> find(ServerAddress server) {
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
    }
}
