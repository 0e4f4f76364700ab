package io.steadfs.mds.testing;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.ByteString;
import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import io.steadfs.cluster.HomeShard;
import io.steadfs.error.FsError;
import io.steadfs.error.Resolver;
import io.steadfs.handle.Handle;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.Transport;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.OpenSessionRequest;
import io.steadfs.wire.proto.RenameRequest;
import io.steadfs.wire.proto.RenewSessionRequest;
import io.steadfs.wire.proto.ReplyHeader;
import io.steadfs.wire.proto.RequestHeader;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * A client of several shards: goes where CONTINUE sends it, begins anew where a start is gone, repeats what is not
 * answered under its id. One request after the other.
 */
public final class WalkingClient {
    private static final long TIMEOUT_MILLIS = 1_000;
    private static final long RENEW_MILLIS = 2_000;
    private static final int TRIES = 300;
    private static final int LEGS = 60;

    private final SimulatedShards cluster;
    private final Transport transport;
    private final long session;
    private final String user;
    private long lastRequest;
    private int legs;
    /** Chooses the shard that is asked first, with whole paths; empty = paths are walked from the root. */
    private Optional<RandomGenerator> anyShard = Optional.empty();

    public WalkingClient(SimulatedShards cluster, long session, String user) {
        this.cluster = cluster;
        this.transport = cluster.network().client("client-" + session);
        this.session = session;
        this.user = user;
        OpenSessionRequest open = OpenSessionRequest.newBuilder()
                .setSession(session)
                .setClient("test")
                .build();
        CompletableFuture<Reply> opened = new CompletableFuture<>();
        until(
                new Sent(
                        Kind.OPEN_SESSION,
                        open,
                        HomeShard.of(session, cluster.shards().size()),
                        0),
                1,
                false,
                opened);
        cluster.time().runUntil("the session is open", opened::isDone, TRIES * TIMEOUT_MILLIS);
        assertThat(opened.join().error()).isEqualTo(FsError.OK);
        keepSession();
    }

    /** From now on sends whole paths, to any shard first. */
    public WalkingClient toAnyShard(RandomGenerator random) {
        anyShard = Optional.of(random);
        return this;
    }

    private void keepSession() {
        cluster.time().after(RENEW_MILLIS, () -> {
            RenewSessionRequest renewal =
                    RenewSessionRequest.newBuilder().setSession(session).build();
            int home = HomeShard.of(session, cluster.shards().size());
            var unused = send(new Sent(Kind.RENEW_SESSION, renewal, home, 0), false);
            keepSession();
        });
    }

    /** One after the other; completes as the simulation runs. */
    public CompletableFuture<Reply> begin(Kind kind, Message body) {
        legs = 0;
        CompletableFuture<Reply> answer = new CompletableFuture<>();
        Message first =
                anyShard.map(random -> whole(body, random.nextBoolean())).orElse(body);
        walk(kind, first, first, nextId(kind), answer);
        return answer;
    }

    private static Message whole(Message body, boolean isHinted) {
        if (body instanceof RenameRequest rename) {
            return rename.toBuilder()
                    .setSource(rename.getSource().toBuilder().setWhole(true).setHinted(isHinted))
                    .setTarget(rename.getTarget().toBuilder().setWhole(true).setHinted(isHinted))
                    .build();
        }
        FieldDescriptor location = body.getDescriptorForType().findFieldByName("location");
        return body.toBuilder()
                .setField(
                        location,
                        ((Location) body.getField(location))
                                .toBuilder().setWhole(true).setHinted(isHinted).build())
                .build();
    }

    private void walk(Kind kind, Message body, Message leg, long id, CompletableFuture<Reply> answer) {
        int shard =
                anyShard.map(random -> random.nextInt(cluster.shards().size())).orElseGet(() -> shardOf(leg));
        walkTo(shard, kind, body, leg, id, answer);
    }

    private void walkTo(int shard, Kind kind, Message body, Message leg, long id, CompletableFuture<Reply> answer) {
        if (++legs > LEGS) {
            answer.completeExceptionally(new AssertionError(kind + " " + body + " goes on and on"));
            return;
        }
        CompletableFuture<Reply> reply = new CompletableFuture<>();
        until(new Sent(kind, leg, shard, id), 1, false, reply);
        var unused = reply.whenComplete((came, failure) -> {
            if (failure != null) {
                answer.completeExceptionally(failure);
            } else if (came.error() == FsError.STALE_START) {
                walk(kind, body, body, nextId(kind), answer);
            } else if (came.error() == FsError.WRONG_PARTITION
                    || (came.error() == FsError.CONTINUE && isWhole(came.header()))) {
                walkTo(came.header().getContinueShard() - 1, kind, body, whole(leg, true), nextId(kind), answer);
            } else if (came.error() == FsError.CONTINUE) {
                walkTo(nextShard(kind, came.header()), kind, body, next(leg, came.header()), id, answer);
            } else {
                answer.complete(came);
            }
        });
    }

    private static boolean isWhole(ReplyHeader header) {
        return header.getContinueShard() > 0 && header.getContinueDirectory() == 0;
    }

    private long nextId(Kind kind) {
        return kind.target() == Kind.Target.MDS_RECORDED ? ++lastRequest : 0;
    }

    private static int nextShard(Kind kind, ReplyHeader header) {
        return kind == Kind.RENAME ? header.getContinueShard() - 1 : new Handle(header.getContinueDirectory()).shard();
    }

    private static Message next(Message leg, ReplyHeader header) {
        Location first = location(header.getContinueDirectory(), header.getContinueToken(), header.getContinuePath());
        if (leg instanceof RenameRequest rename) {
            return rename.toBuilder()
                    .setSource(first)
                    .setTarget(location(
                            header.getContinueTargetDirectory(),
                            header.getContinueTargetToken(),
                            header.getContinueTargetPath()))
                    .build();
        }
        return leg.toBuilder()
                .setField(leg.getDescriptorForType().findFieldByName("location"), first)
                .build();
    }

    private static Location location(long start, ByteString token, String path) {
        return Location.newBuilder()
                .setStart(start)
                .setToken(token)
                .setPath(path)
                .build();
    }

    private static int shardOf(Message body) {
        Location location = body instanceof RenameRequest rename
                ? rename.getSource()
                : (Location) body.getField(body.getDescriptorForType().findFieldByName("location"));
        return location.getStart() == 0 ? 0 : new Handle(location.getStart()).shard();
    }

    private record Sent(Kind kind, MessageLite body, int shard, long id) {}

    /** Until an answer that asks for no retry. */
    private void until(Sent sent, int tries, boolean repeated, CompletableFuture<Reply> answer) {
        var unused = send(sent, repeated).thenAccept(reply -> {
            if (reply.error().resolver() != Resolver.RETRY) {
                answer.complete(reply);
            } else if (tries == TRIES) {
                answer.completeExceptionally(new AssertionError(
                        sent + " is not answered after " + TRIES + " tries: " + reply.error() + " " + reply.header()));
            } else {
                boolean unknown = repeated || reply.error().outcomeUnknown();
                cluster.time().after(100, () -> until(sent, tries + 1, unknown, answer));
            }
        });
    }

    private CompletableFuture<Reply> send(Sent sent, boolean repeated) {
        RequestHeader header = RequestHeader.newBuilder()
                .setKind(sent.kind.number())
                .setSession(session)
                .setRequestId(sent.id)
                .setLowestUnanswered(sent.id)
                .setShard(sent.shard + 1)
                .setRepeatedTry(repeated)
                .setCaller(Caller.newBuilder().setUser(user).addGroups("users"))
                .build();
        return transport.send(
                cluster.shard(sent.shard).address(),
                new Request(sent.kind, header, sent.body, Payload.EMPTY),
                TIMEOUT_MILLIS);
    }
}
