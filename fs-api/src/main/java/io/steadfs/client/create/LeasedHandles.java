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
 * Chooses an IO server and one of the client's leased handles for each column of a new file. Servers take turns. If the
 * client has handles of enough servers in memory, a create skips the other servers. If the client has handles of too
 * few servers, the create waits for new leases. So a slow or dead server delays no create that can do without that
 * server. Thread-safe.
 */
public final class LeasedHandles {
    private final LeasePools pools;
    private final AtomicInteger turn;

    /**
     * @param holder id of the client as a holder of leases; the IO servers know the client by this id
     * @param name name of the holder, shown to people
     * @param precreated whether a lease also makes a datafile for each handle
     * @param turn position of the server that gets the first column of the first file, modulo the number of servers
     */
    public LeasedHandles(
            Courier courier, Operation upkeep, long holder, String name, PoolSize size, boolean precreated, int turn) {
        this.pools = new LeasePools(upkeep, new LeaseMessages(courier, holder, name, precreated), size);
        this.turn = new AtomicInteger(turn);
    }

    /** The pools of leased handles, which also send the messages about leases. */
    LeasePools pools() {
        return pools;
    }

    /**
     * Takes a handle for each column. Columns share a server only if there are fewer servers than columns. A server
     * near the writer comes first. The future fails if there are not enough handles.
     *
     * @param operation operation that requests for new leases belong to
     * @param nearServer id of an IO server near the writer, plus 1; 0 = no such server is known
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
        // Too few servers have a handle in memory, or there are fewer servers than columns.
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
     * Makes a datafile for each column now, each under a lease of one handle.
     *
     * @param nearServer id of an IO server near the writer, plus 1; 0 = no such server is known
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

    /**
     * Leases one handle from the server at this position in the list. If that server grants no lease, asks the next
     * server in the list.
     */
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

    /**
     * The ids of the alive IO servers, in the order in which one new file uses them. The first server differs from file
     * to file, unless a server is near the writer.
     */
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

    /**
     * Takes a handle of the server at this position in the list. If that server grants no handle, takes a handle of a
     * later server in the list.
     */
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

    /**
     * Joins all handles in one future. If one of the handles fails, the future fails and the other handles go back to
     * their pools.
     */
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

    /**
     * Puts handles back into their pools, to be given out again. The caller must be sure that no request under way
     * names the handles.
     */
    void putBack(List<Handle> handles) {
        handles.forEach(handle -> pools.at(handle.owner()).putBack(handle));
    }

    /**
     * Drops the leases of these handles, because a server refused one of the handles with LEASE_REVOKED. The pools then
     * give out no more handles of dropped leases.
     */
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

    /**
     * Gives up all leases, with one request to each server. The future always completes normally, even if requests
     * fail.
     */
    public CompletableFuture<Void> close() {
        return pools.close();
    }
}
