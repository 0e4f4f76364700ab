package io.steadfs.client.create;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Operation;
import io.steadfs.cluster.ClusterView;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.pool.HandlePool;
import io.steadfs.pool.PoolSize;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AttachedColumn;
import io.steadfs.wire.proto.EndLeasesRequest;
import io.steadfs.wire.proto.LeaseHandlesReply;
import io.steadfs.wire.proto.LeaseHandlesRequest;
import io.steadfs.wire.proto.RenewLeasesReply;
import io.steadfs.wire.proto.RenewLeasesRequest;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The leased handles of one client at all IO servers. Chooses the servers of a new file's columns, and a handle of each. Servers take
 * turns. A server that has no handle at hand is passed over while others have one. It is waited for only where too few servers have one, so
 * a slow or dead server holds up no create that can do without it.
 *
 * <p>Leases that still have handles at hand are renewed. When the client closes, all leases are given up. Thread-safe.
 */
public final class LeasedHandles {
    private final Courier courier;
    private final Operation upkeep;
    private final long holder;
    private final String name;
    private final PoolSize size;
    private final boolean precreated;
    private final AtomicInteger turn;
    private final ConcurrentMap<Integer, HandlePool> pools = new ConcurrentHashMap<>();
    private final Set<Integer> leasedAt = ConcurrentHashMap.newKeySet();
    private volatile long durationMillis;
    private Scheduler.@Nullable Cancellable renewal;
    private boolean closed;

    /**
     * @param holder id by which the servers know the client
     * @param name of the holder, for people
     * @param precreated whether each handle comes with its datafile
     * @param turn where the first file begins among the servers
     */
    public LeasedHandles(
            Courier courier, Operation upkeep, long holder, String name, PoolSize size, boolean precreated, int turn) {
        this.courier = courier;
        this.upkeep = upkeep;
        this.holder = holder;
        this.name = name;
        this.size = size;
        this.precreated = precreated;
        this.turn = new AtomicInteger(turn);
    }

    /**
     * A handle for each column, at as many different servers as there are, one near the writer first. Fails if not enough handles can be
     * had.
     *
     * @param operation that waits where a server has to be asked first
     * @param nearServer plus 1; 0 = none known
     */
    CompletableFuture<List<Handle>> take(Operation operation, ClusterView cluster, int count, int nearServer) {
        List<Integer> servers = servers(cluster, nearServer);
        if (servers.isEmpty()) {
            return noServer();
        }
        Courier together = courier.line();
        List<CompletableFuture<Handle>> handles = new ArrayList<>();
        List<Integer> without = new ArrayList<>();
        for (int server : servers) {
            if (handles.size() < count) {
                Optional<Handle> handle = pool(server).take();
                if (handle.isPresent()) {
                    handles.add(CompletableFuture.completedFuture(handle.get()));
                } else {
                    without.add(server);
                }
            }
        }
        // Not enough servers have a handle at hand, or there are fewer servers than columns.
        List<Integer> next = without.isEmpty() ? servers : without;
        for (int i = 0; handles.size() < count; i++) {
            handles.add(awaitAny(together.line(), operation, next, i % next.size()));
            if (i + 1 >= next.size()) {
                next = servers;
            }
        }
        return all(handles);
    }

    /**
     * A datafile for each column, each a lease of its own, made now. The messages are sent by this courier and for this operation.
     *
     * @param nearServer plus 1; 0 = none known
     */
    CompletableFuture<List<Handle>> single(
            Courier by, Operation operation, ClusterView cluster, int count, int nearServer) {
        List<Integer> servers = servers(cluster, nearServer);
        if (servers.isEmpty()) {
            return noServer();
        }
        Courier together = by.line();
        List<CompletableFuture<Handle>> handles = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            handles.add(singleAt(together.line(), operation, servers, i % servers.size(), servers.size()));
        }
        return all(handles);
    }

    /** Leases at the server at the position. If that server grants none, at one after it. */
    private CompletableFuture<Handle> singleAt(
            Courier by, Operation operation, List<Integer> servers, int position, int left) {
        return Futures.orElseThen(
                Futures.map(
                        lease(by, operation, servers.get(position), wish(1)),
                        granted -> granted.range().first()),
                refused -> left <= 1
                        ? Optional.empty()
                        : Optional.of(singleAt(by, operation, servers, (position + 1) % servers.size(), left - 1)));
    }

    static <A> CompletableFuture<A> noServer() {
        return CompletableFuture.failedFuture(
                new FsException(FsError.UNAVAILABLE, "no IO server is alive to lease a handle from"));
    }

    /** The alive servers. Each file begins at another one. */
    List<Integer> servers(ClusterView cluster, int nearServer) {
        List<Integer> servers = new ArrayList<>(cluster.aliveIoServers());
        if (!servers.isEmpty()) {
            Collections.rotate(servers, -Math.floorMod(turn.getAndIncrement(), servers.size()));
            int near = servers.indexOf(nearServer - 1);
            if (near > 0) {
                servers.add(0, servers.remove(near));
            }
        }
        return servers;
    }

    /** A handle of the server at the position. If that server grants none, of one after it. */
    private CompletableFuture<Handle> awaitAny(Courier by, Operation operation, List<Integer> servers, int position) {
        CompletableFuture<Handle> handle = new CompletableFuture<>();
        awaitAny(by, operation, servers, position, servers.size(), handle);
        return handle;
    }

    private void awaitAny(
            Courier by,
            Operation operation,
            List<Integer> servers,
            int position,
            int left,
            CompletableFuture<Handle> handle) {
        int server = servers.get(position);
        HandlePool pool = pool(server);
        var unused = pool.await(count -> lease(by, operation, server, wish(count)))
                .whenComplete((taken, failure) -> {
                    if (taken != null) {
                        if (!handle.complete(taken)) {
                            pool.putBack(taken);
                        }
                    } else if (left > 1) {
                        awaitAny(by, operation, servers, (position + 1) % servers.size(), left - 1, handle);
                    } else {
                        handle.completeExceptionally(Futures.unwrap(failure));
                    }
                });
    }

    /** All handles. If some cannot be had, the create fails and the others are put back. */
    private CompletableFuture<List<Handle>> all(List<CompletableFuture<Handle>> handles) {
        CompletableFuture<List<Handle>> result = new CompletableFuture<>();
        var unused = CompletableFuture.allOf(handles.toArray(CompletableFuture<?>[]::new))
                .whenComplete((done, failure) -> {
                    List<Handle> taken = new ArrayList<>();
                    for (CompletableFuture<Handle> each : handles) {
                        if (!each.isCompletedExceptionally()) {
                            taken.add(each.join());
                        }
                    }
                    if (failure != null) {
                        putBack(taken);
                        result.completeExceptionally(Futures.unwrap(failure));
                    } else if (!result.complete(taken)) {
                        putBack(taken);
                    }
                });
        return result;
    }

    /** Takes handles back to give them out again. No request that names them can still be executed. */
    void putBack(List<Handle> handles) {
        handles.forEach(handle -> pool(handle.owner()).putBack(handle));
    }

    /** One of the handles was refused because its lease has ended. No other handle of their leases is given out any more. */
    void revoked(List<Handle> handles) {
        handles.forEach(handle -> pool(handle.owner()).drop(handle));
    }

    static List<AttachedColumn> columns(List<Handle> handles) {
        List<AttachedColumn> columns = new ArrayList<>();
        for (int index = 0; index < handles.size(); index++) {
            columns.add(AttachedColumn.newBuilder()
                    .setIndex(index)
                    .setDatafile(handles.get(index).value())
                    .build());
        }
        return columns;
    }

    HandlePool pool(int server) {
        HandlePool made = pools.computeIfAbsent(
                server,
                unused -> new HandlePool(count -> lease(courier, upkeep, server, wish(count)), courier.clock(), size));
        boolean over;
        synchronized (this) {
            over = closed;
        }
        if (over) {
            made.close(new FsException(FsError.CANCELLED, Courier.CLOSED));
        }
        return made;
    }

    /** Asks once. On failure the caller goes to another server, or asks again later. */
    CompletableFuture<HandlePool.Granted> lease(Courier by, Operation operation, int server, LeaseHandlesRequest body) {
        return Futures.map(ask(by, operation, server, Kind.LEASE_HANDLES, "lease handles", body), reply -> {
            if (!(reply.body() instanceof LeaseHandlesReply granted) || !reply.isOk()) {
                throw new FsException(
                        reply.error(),
                        "no handles from IO server " + server + ": "
                                + reply.header().getMessage());
            }
            return granted(server, granted);
        });
    }

    /** The request for a lease of so many handles. */
    LeaseHandlesRequest wish(int count) {
        return LeaseHandlesRequest.newBuilder()
                .setHolder(holder)
                .setCount(count)
                .setName(name)
                .setHandlesOnly(!precreated)
                .build();
    }

    /** Notes the lease, so that it is renewed, and given up in the end. */
    HandlePool.Granted granted(int server, LeaseHandlesReply granted) throws FsException {
        HandleRange range = range(server, granted);
        leasedAt.add(server);
        durationMillis = granted.getDurationMillis();
        renewLater();
        return new HandlePool.Granted(range, granted.getDurationMillis());
    }

    private static HandleRange range(int server, LeaseHandlesReply granted) throws FsException {
        Handle first = new Handle(granted.getFirst());
        if (first.owner() == server && granted.getCount() > 0) {
            try {
                return HandleRange.of(first, granted.getCount());
            } catch (IllegalArgumentException e) {
                throw new FsException(FsError.FAULT, "IO server " + server + " leased nonsense: " + e.getMessage());
            }
        }
        throw new FsException(
                FsError.FAULT, "IO server " + server + " leased " + granted.getCount() + " handles from " + first);
    }

    CompletableFuture<Reply> ask(
            Courier by, Operation operation, int server, Kind kind, String step, com.google.protobuf.MessageLite body) {
        Optional<ServerAddress> address = courier.cluster().present().flatMap(map -> map.ioServer(server));
        if (address.isEmpty()) {
            return CompletableFuture.completedFuture(
                    Reply.refused(kind, FsError.UNREACHABLE, "cluster map has no address of IO server " + server));
        }
        return by.attempt(
                        operation,
                        kind,
                        step,
                        address.get(),
                        0,
                        body,
                        Payload.EMPTY,
                        Courier.Stamp.NONE,
                        courier.rule().attemptTimeoutMillis())
                .thenApply(reply -> {
                    reply.payload().release();
                    courier.cluster().seen(reply.header().getEpoch());
                    return reply;
                });
    }

    /** Renews at a third of a lease's duration. So there is time to repeat a renewal that failed. */
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
        RenewLeasesRequest.Builder body = RenewLeasesRequest.newBuilder().setHolder(holder);
        asked.forEach(lease -> body.addLeases(lease.value()));
        long sinceNanos = courier.clock().monotonicNanos();
        var unused = ask(courier, upkeep, server, Kind.RENEW_LEASES, "renew leases", body.build())
                .thenAccept(reply -> {
                    if (reply.isOk() && reply.body() instanceof RenewLeasesReply renewed) {
                        Set<Handle> leases = new HashSet<>();
                        renewed.getLeasesList().forEach(first -> leases.add(new Handle(first)));
                        pool.renewed(asked, leases, sinceNanos, renewed.getDurationMillis());
                    }
                });
    }

    /** Gives up all leases, with one try for each server. Completes normally in any case. */
    public CompletableFuture<Void> close() {
        synchronized (this) {
            closed = true;
            if (renewal != null) {
                renewal.cancel();
            }
        }
        List<CompletableFuture<?>> ends = new ArrayList<>();
        EndLeasesRequest body = EndLeasesRequest.newBuilder().setHolder(holder).build();
        leasedAt.forEach(server -> ends.add(ask(courier, upkeep, server, Kind.END_LEASES, "end leases", body)));
        pools.values().forEach(pool -> pool.close(new FsException(FsError.CANCELLED, Courier.CLOSED)));
        return CompletableFuture.allOf(ends.toArray(CompletableFuture<?>[]::new))
                .handle((done, failure) -> null);
    }
}
