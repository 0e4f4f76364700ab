package io.steadfs.client.create;

import com.google.protobuf.MessageLite;
import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Operation;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.EndLeasesRequest;
import io.steadfs.wire.proto.LeaseHandlesReply;
import io.steadfs.wire.proto.LeaseHandlesRequest;
import io.steadfs.wire.proto.RenewLeasesRequest;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;

/**
 * Builds and sends the messages about leases from one holder to IO servers. Sends each message only once.
 *
 * @param holder id of the client as a holder of leases; the IO servers know the client by this id
 * @param name name of the holder, shown to people
 * @param precreated whether a lease also makes a datafile for each handle
 */
record LeaseMessages(Courier courier, long holder, String name, boolean precreated) {
    /** Builds the request for a lease of {@code count} handles. */
    LeaseHandlesRequest request(int count) {
        return LeaseHandlesRequest.newBuilder()
                .setHolder(holder)
                .setCount(count)
                .setName(name)
                .setHandlesOnly(!precreated)
                .build();
    }

    RenewLeasesRequest renewal(Set<Handle> leases) {
        RenewLeasesRequest.Builder body = RenewLeasesRequest.newBuilder().setHolder(holder);
        leases.forEach(lease -> body.addLeases(lease.value()));
        return body.build();
    }

    /** Builds the request that ends all leases of the holder at a server. */
    EndLeasesRequest end() {
        return EndLeasesRequest.newBuilder().setHolder(holder).build();
    }

    CompletableFuture<Reply> ask(
            Courier by, Operation operation, int server, Kind kind, String step, MessageLite body) {
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

    /** The range of handles that an IO server has leased to the holder. */
    static HandleRange range(int server, LeaseHandlesReply granted) throws FsException {
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
}
