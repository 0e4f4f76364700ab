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

/** The datafiles of a new file that is made with leased handles. Each is reserved by one message. */
final class ReservedHandles {
    private final CreateProtocol.FileSpec spec;
    private final LeasedHandles leased;
    private final LeasePools pools;
    private final LeaseMessages messages;
    /** All messages of one step are sent by this courier. They count as sent together, even if the first is answered before the last is sent. */
    private final Courier together;

    ReservedHandles(CreateProtocol.FileSpec spec) {
        this.spec = spec;
        this.leased = spec.handlesOnly();
        this.pools = leased.pools();
        this.messages = pools.messages();
        this.together = spec.courier().line();
    }

    /** A column's server, and a leased handle of that server where one is at hand. */
    record Column(int server, Optional<Handle> handle) {}

    /**
     * Chooses servers in turn, one near the writer first.
     *
     * @param avoided sets of servers that get no column; a set is used only if the sets before it leave no server; if every set leaves no
     *     server, none is avoided
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

    /** Reserves the column's handle, or leases handles and reserves the first of them. One message. */
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

    /** Leases one handle that is used at once, and as many more as the pool wants. The pool wants none if others are on their way to it. */
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
