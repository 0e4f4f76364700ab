package io.steadfs.client;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.partition.NameHash;
import io.steadfs.partition.PartitionMap;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.ReplyHeader;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * One request on its way to an answer, try after try, as {@link RetryRule} has it. There is one try at a time and each
 * begins where the one before ended, so the fields need no lock. At most one hop per path component follows CONTINUE
 * and WRONG_PARTITION.
 */
final class RetryingCall {
    private static final int MAX_HOPS = FsPath.MAX_DEPTH + 1;

    private final Courier courier;
    private final Operation operation;
    private final Question question;
    private final Courier.Stamp stamp;
    private final long startNanos;
    private final CompletableFuture<Settled> result = new CompletableFuture<>();

    private Destination destination;
    private MessageLite body;
    /** Of the directory that a reply of WRONG_PARTITION named last. */
    private @Nullable PartitionMap partitions;

    private int hops;
    private int failures;
    private boolean doubtful;
    private volatile @Nullable CompletableFuture<?> underWay;

    RetryingCall(Courier courier, Operation operation, Question question, Courier.Stamp stamp) {
        this.courier = courier;
        this.operation = operation;
        this.question = question;
        this.stamp = stamp;
        this.startNanos = courier.clock().monotonicNanos();
        this.destination = question.destination();
        this.body = question.body();
    }

    CompletableFuture<Settled> begin() {
        var unused = result.whenComplete((settled, failure) -> {
            CompletableFuture<?> attempt = underWay;
            if (result.isCancelled() && attempt != null) {
                attempt.cancel(true);
            }
        });
        attempt();
        return result;
    }

    private long elapsedNanos() {
        return courier.clock().monotonicNanos() - startNanos;
    }

    private void attempt() {
        if (result.isDone()) {
            return;
        }
        var unused = courier.cluster().get().whenComplete((cluster, failure) -> {
            if (cluster == null) {
                settleOrRepeat(
                        failed(FsError.UNREACHABLE, Linked.unwrap(failure).getMessage()), "metadata servers");
                return;
            }
            Optional<ServerAddress> server = destination.address(cluster);
            if (server.isEmpty()) {
                String message = "cluster map of epoch " + cluster.epoch() + " has no address of " + destination;
                settleOrRepeat(failed(FsError.UNREACHABLE, message), destination.toString());
            } else {
                send(server.get());
            }
        });
    }

    private Reply failed(FsError error, @Nullable String message) {
        String text = String.valueOf(message);
        String prefix = error + ": ";
        return Reply.refused(question.kind(), error, text.startsWith(prefix) ? text.substring(prefix.length()) : text);
    }

    private void send(ServerAddress server) {
        CompletableFuture<Reply> attempt = courier.attempt(
                operation,
                question.kind(),
                question.step(),
                server,
                body,
                Payload.EMPTY,
                stamp,
                courier.rule().attemptMillis(body, elapsedNanos()));
        underWay = attempt;
        if (result.isCancelled()) {
            attempt.cancel(true);
        }
        var unused = attempt.whenComplete((reply, broken) -> {
            if (reply != null) {
                courier.cluster().seen(reply.header().getEpoch());
                try {
                    settleOrRepeat(reply, destination + " at " + server);
                } catch (RuntimeException e) {
                    result.completeExceptionally(e);
                }
            } else if (!result.isDone()) {
                result.completeExceptionally(broken);
            }
        });
    }

    private void settleOrRepeat(Reply reply, String server) {
        switch (RetryRule.verdict(reply.error())) {
            case SETTLED -> settle(reply, server);
            case GO_ON_ELSEWHERE -> goOnElsewhere(reply, server);
            case AGAIN -> repeat(reply, server, false);
            case REFRESH_THEN_AGAIN -> repeat(reply, server, true);
        }
    }

    private void settle(Reply reply, String server) {
        if (!result.complete(new Settled(reply, server, doubtful))) {
            reply.payload().release();
        }
    }

    /** Follows CONTINUE to the named directory's shard, WRONG_PARTITION to that of the name's partition. */
    private void goOnElsewhere(Reply reply, String server) {
        ReplyHeader header = reply.header();
        Handle directory = new Handle(header.getContinueDirectory());
        if (question.elsewhere().isEmpty() || !directory.isOwnedByShard() || ++hops > MAX_HOPS) {
            reply.payload().release();
            String message =
                    destination + " sent " + question.step() + " on to directory " + directory + ", hop " + hops;
            settle(failed(FsError.FAULT, message), server);
            return;
        }
        Destination before = destination;
        destination = new Destination.Shard(
                reply.error() == FsError.WRONG_PARTITION ? shardOfName(header) : directory.shard());
        body = question.elsewhere()
                .get()
                .apply(Location.newBuilder()
                        .setStart(directory.value())
                        .setPath(header.getContinuePath())
                        .build());
        if (destination.equals(before)) {
            // The shard does not believe itself: its map is about to change.
            repeat(reply, server, false);
        } else {
            reply.payload().release();
            attempt();
        }
    }

    private int shardOfName(ReplyHeader header) {
        PartitionMap answered = PartitionMap.fromProto(header.getPartitionMap());
        PartitionMap known = partitions;
        PartitionMap merged =
                known != null && known.directory().equals(answered.directory()) ? known.merge(answered) : answered;
        partitions = merged;
        String path = header.getContinuePath();
        int slash = path.indexOf('/');
        String name = slash < 0 ? path : path.substring(0, slash);
        return merged.shardOf(merged.ownerOf(NameHash.of(name)));
    }

    private void repeat(Reply reply, String server, boolean refreshFirst) {
        doubtful |= reply.error().outcomeUnknown();
        failures++;
        long pauseMillis = courier.rule().pauseMillis(failures);
        if (courier.rule().isOver(elapsedNanos(), pauseMillis)) {
            settle(reply, server);
            return;
        }
        reply.payload().release();
        courier.counters().retries.increment();
        if (refreshFirst) {
            var unused = courier.cluster().refresh().whenComplete((cluster, failure) -> attemptAfter(pauseMillis));
            return;
        }
        if (RetryRule.hintsAtMove(reply.error())) {
            var unused = courier.cluster().refresh();
        }
        attemptAfter(pauseMillis);
    }

    private void attemptAfter(long pauseMillis) {
        var unused = courier.scheduler().after(pauseMillis, this::attempt);
    }
}
