package io.steadfs.client.create;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Operation;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.pool.HandlePool;
import io.steadfs.pool.PoolSize;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.EndLeasesRequest;
import io.steadfs.wire.proto.LeaseHandlesReply;
import io.steadfs.wire.proto.LeaseHandlesRequest;
import io.steadfs.wire.proto.RenewLeasesReply;
import io.steadfs.wire.proto.RenewLeasesRequest;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import org.jspecify.annotations.Nullable;

/**
 * Holds a pool of leased handles for each IO server, and renews the leases. A lease is renewed while handles of that
 * lease are in a pool. When the client closes, it gives up all leases. Thread-safe.
 */
final class LeasePools {
    private final Courier courier;
    private final Operation upkeep;
    private final LeaseMessages messages;
    private final PoolSize size;
    private final ConcurrentMap<Integer, HandlePool> pools = new ConcurrentHashMap<>();
    private final Set<Integer> leasedAt = ConcurrentHashMap.newKeySet();
    private volatile long durationMillis;
    private Scheduler.@Nullable Cancellable renewal;
    private boolean closed;

    LeasePools(Operation upkeep, LeaseMessages messages, PoolSize size) {
        this.courier = messages.courier();
        this.upkeep = upkeep;
        this.messages = messages;
        this.size = size;
    }

    LeaseMessages messages() {
        return messages;
    }

    HandlePool at(int server) {
        HandlePool made = pools.computeIfAbsent(
                server,
                unused -> new HandlePool(
                        count -> lease(courier, upkeep, server, messages.request(count)), courier.clock(), size));
        boolean over;
        synchronized (this) {
            over = closed;
        }
        if (over) {
            made.close(new FsException(FsError.CANCELLED, Courier.CLOSED));
        }
        return made;
    }

    /** Sends one request for a lease. After a failure the caller asks another server, or asks again later. */
    CompletableFuture<HandlePool.Granted> lease(Courier by, Operation operation, int server, LeaseHandlesRequest body) {
        return Futures.map(messages.ask(by, operation, server, Kind.LEASE_HANDLES, "lease handles", body), reply -> {
            if (!(reply.body() instanceof LeaseHandlesReply granted) || !reply.isOk()) {
                throw new FsException(
                        reply.error(),
                        "no handles from IO server " + server + ": "
                                + reply.header().getMessage());
            }
            return granted(server, granted);
        });
    }

    /** Notes a new lease. The pools then renew the lease, and give the lease up when the client closes. */
    HandlePool.Granted granted(int server, LeaseHandlesReply granted) throws FsException {
        HandleRange range = LeaseMessages.range(server, granted);
        leasedAt.add(server);
        durationMillis = granted.getDurationMillis();
        renewLater();
        return new HandlePool.Granted(range, granted.getDurationMillis());
    }

    /**
     * Schedules the next renewal after a third of a lease's duration, so that there is time to repeat a failed renewal.
     */
    private synchronized void renewLater() {
        if (renewal == null && !closed) {
            renewal = courier.scheduler().after(Math.max(1, durationMillis / 3), this::renew);
        }
    }

    private void renew() {
        synchronized (this) {
            renewal = null;
        }
        pools.forEach(this::renew);
    }

    private void renew(int server, HandlePool pool) {
        Set<Handle> asked = pool.leasesAtHand();
        if (asked.isEmpty()) {
            return;
        }
        renewLater();
        RenewLeasesRequest body = messages.renewal(asked);
        long sinceNanos = courier.clock().monotonicNanos();
        var unused = messages.ask(courier, upkeep, server, Kind.RENEW_LEASES, "renew leases", body)
                .thenAccept(reply -> {
                    if (reply.isOk() && reply.body() instanceof RenewLeasesReply renewed) {
                        Set<Handle> leases = new HashSet<>();
                        renewed.getLeasesList().forEach(first -> leases.add(new Handle(first)));
                        pool.renewed(asked, leases, sinceNanos, renewed.getDurationMillis());
                    }
                });
    }

    /**
     * Gives up all leases, with one request to each server. The future always completes normally, even if requests
     * fail.
     */
    CompletableFuture<Void> close() {
        synchronized (this) {
            closed = true;
            if (renewal != null) {
                renewal.cancel();
            }
        }
        List<CompletableFuture<?>> ends = new ArrayList<>();
        EndLeasesRequest body = messages.end();
        leasedAt.forEach(
                server -> ends.add(messages.ask(courier, upkeep, server, Kind.END_LEASES, "end leases", body)));
        pools.values().forEach(pool -> pool.close(new FsException(FsError.CANCELLED, Courier.CLOSED)));
        return CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new))
                .handle((done, failure) -> null);
    }
}
