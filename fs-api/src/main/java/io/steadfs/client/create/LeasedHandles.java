package io.steadfs.client.create;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Operation;
import io.steadfs.cluster.ClusterView;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.pool.HandlePool;
import io.steadfs.pool.PoolSize;
import io.steadfs.wire.proto.AttachedColumn;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * The leased handles of one client at all IO servers. Chooses the servers of a new file's columns, and a handle of each. Servers take
 * turns. A server that has no handle at hand is passed over while others have one. It is waited for only where too few servers have one, so
 * a slow or dead server holds up no create that can do without it. Thread-safe.
 */
public final class LeasedHandles {
    private final LeasePools pools;
    private final AtomicInteger turn;

    /**
     * @param holder id by which the servers know the client
     * @param name of the holder, for people
     * @param precreated whether each handle comes with its datafile
     * @param turn where the first file begins among the servers
     */
    public LeasedHandles(
            Courier courier, Operation upkeep, long holder, String name, PoolSize size, boolean precreated, int turn) {
        this.pools = new LeasePools(upkeep, new LeaseMessages(courier, holder, name, precreated), size);
        this.turn = new AtomicInteger(turn);
    }

    /** The handles at hand, and the messages about them. */
    LeasePools pools() {
        return pools;
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
        Courier together = pools.messages().courier().line();
        List<CompletableFuture<Handle>> handles = new ArrayList<>();
        List<Integer> without = new ArrayList<>();
        for (int server : servers) {
            if (handles.size() < count) {
                Optional<Handle> handle = pools.at(server).take();
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
                        pools.lease(
                                by,
                                operation,
                                servers.get(position),
                                pools.messages().request(1)),
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
        HandlePool pool = pools.at(server);
        var unused = pool.await(count ->
                        pools.lease(by, operation, server, pools.messages().request(count)))
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
        handles.forEach(handle -> pools.at(handle.owner()).putBack(handle));
    }

    /** One of the handles was refused because its lease has ended. No other handle of their leases is given out any more. */
    void revoked(List<Handle> handles) {
        handles.forEach(handle -> pools.at(handle.owner()).drop(handle));
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

    /** Gives up all leases, with one try for each server. Completes normally in any case. */
    public CompletableFuture<Void> close() {
        return pools.close();
    }
}
