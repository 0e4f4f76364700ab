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
 * Finds the addresses of hosts on threads of its own. A name server that does not answer blocks its caller for many seconds. An event loop must not be blocked: the connections to all other servers live on it. There are a few daemon threads, which end when nothing is looked
 * up. As many lookups wait as there are connections being made.
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

    /** Fails with {@link UnknownHostException} or, after closing, a rejection. Completes on any thread. */
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
