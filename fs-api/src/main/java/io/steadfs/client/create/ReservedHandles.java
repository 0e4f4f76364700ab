package io.steadfs.client.create;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Futures;
import io.steadfs.cluster.ClusterView;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.pool.HandlePool;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.LeaseHandlesRequest;
import io.steadfs.wire.proto.ReserveHandleReply;
import io.steadfs.wire.proto.ReserveHandleRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Reserves leased handles for the columns of a new file. Reserving a handle makes its datafile and takes one message.
 */
final class ReservedHandles {
    private final CreateProtocol.FileSpec spec;
    private final LeasedHandles leased;
    private final LeasePools pools;
    private final LeaseMessages messages;
    /**
     * Sends all reservations, so that they count as one step. Without a common transport line, a reservation that is
     * sent after the first answer would count as a second step.
     */
    private final Courier together;

    ReservedHandles(CreateProtocol.FileSpec spec) {
        this.spec = spec;
        this.leased = spec.handlesOnly();
        this.pools = leased.pools();
        this.messages = pools.messages();
        this.together = spec.courier().line();
    }

    /**
     * The IO server of a column, and a leased handle of that server. The handle is empty if the client has none in
     * memory.
     */
    record Column(int server, Optional<Handle> handle) {}

    /**
     * Chooses an IO server for each column. Servers take turns, and a server near the writer comes first. If an avoided
     * set contains all alive servers, the choice uses the next set instead. If every avoided set contains all alive
     * servers, the choice avoids no server.
     *
     * @param avoided sets of servers that get no column, in order of preference
     */
    List<Column> choose(ClusterView cluster, int width, List<Set<Integer>> avoided) throws FsException {
        List<Integer> alive = leased.servers(cluster, spec.nearServer());
        List<Integer> servers = avoided.stream()
                .map(each ->
                        alive.stream().filter(server -> !each.contains(server)).toList())
                .filter(left -> !left.isEmpty())
                .findFirst()
                .orElse(alive);
        if (servers.isEmpty()) {
            throw new FsException(FsError.UNAVAILABLE, "no IO server is alive to lease a handle from");
        }
        List<Column> columns = new ArrayList<>();
        for (int i = 0; i < width; i++) {
            int server = servers.get(i % servers.size());
            columns.add(new Column(server, pools.at(server).poll()));
        }
        return columns;
    }

    /**
     * Reserves the column's handle by one message. If the column has no handle, the message leases handles and reserves
     * the first handle of the lease.
     */
    CompletableFuture<Handle> reserve(Column column) {
        return column.handle().isPresent()
                ? reserve(column.server(), column.handle().get())
                : lease(column.server());
    }

    private CompletableFuture<Handle> reserve(int server, Handle handle) {
        HandlePool pool = pools.at(server);
        long sinceNanos = spec.courier().clock().monotonicNanos();
        int more = pool.wanted();
        ReserveHandleRequest.Builder body = ReserveHandleRequest.newBuilder().setDatafile(handle.value());
        if (more > 0) {
            body.setMore(messages.request(more));
        }
        CompletableFuture<Reply> answer = messages.ask(
                together.line(), spec.operation(), server, Kind.RESERVE_HANDLE, "reserve handle", body.build());
        if (more > 0) {
            var unused = answer.whenComplete((reply, failure) -> takeMore(server, pool, reply, failure, sinceNanos));
        }
        return Futures.map(answer, reply -> {
            if (!reply.isOk()) {
                throw new FsException(
                        reply.error(),
                        "handle " + handle + " is not reserved: "
                                + reply.header().getMessage());
            }
            return handle;
        });
    }

    private void takeMore(
            int server, HandlePool pool, @Nullable Reply reply, @Nullable Throwable failure, long sinceNanos) {
        HandlePool.Granted granted = null;
        Throwable reason = failure;
        if (reply != null) {
            try {
                if (reply.isOk() && reply.body() instanceof ReserveHandleReply body && body.hasMore()) {
                    granted = pools.granted(server, body.getMore());
                } else {
                    reason = new FsException(FsError.BUSY, "IO server " + server + " leased no more handles");
                }
            } catch (FsException e) {
                reason = e;
            }
        }
        pool.answered(granted, reason, sinceNanos);
    }

    /**
     * Leases one handle for immediate use, and as many more handles as the pool wants. If a lease is already on its
     * way, the pool wants no more.
     */
    private CompletableFuture<Handle> lease(int server) {
        HandlePool pool = pools.at(server);
        long sinceNanos = spec.courier().clock().monotonicNanos();
        int more = pool.wanted();
        LeaseHandlesRequest body = messages.request(Math.max(1, more)).toBuilder()
                .setReserveFirst(true)
                .build();
        CompletableFuture<HandlePool.Granted> lease = pools.lease(together.line(), spec.operation(), server, body);
        if (more > 0) {
            var unused = lease.whenComplete((granted, failure) -> pool.answered(
                    granted == null ? null : granted.withoutFirst(),
                    failure == null ? null : Futures.unwrap(failure),
                    sinceNanos));
        }
        return Futures.map(lease, granted -> granted.range().first());
    }
}
