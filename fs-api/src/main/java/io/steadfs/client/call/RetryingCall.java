package io.steadfs.client.call;

import com.google.protobuf.MessageLite;
import io.steadfs.cluster.ClusterView;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.partition.PartitionMap;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ReplyHeader;
import io.steadfs.wire.proto.RequestHeader;
import java.util.HashSet;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Sends one request again and again until the request is settled, as {@link RetryRule} says. The fields need no lock,
 * because tries never overlap.
 *
 * <p>The part of a request that one shard answers is a <b>leg</b>. A CONTINUE or WRONG_PARTITION reply ends a leg and
 * begins the next leg. The next leg names other directories or another shard. A shard may receive and execute an
 * unanswered try late. After an unanswered try, each further try of the leg therefore sets {@code repeated_try} in its
 * header. For such a try the shard records its answer, and gives the same answer to all other tries of the leg. So a
 * leg is settled as soon as one of its tries was answered. Only unanswered tries of the present leg are in doubt.
 *
 * <p>STALE_START means that a directory on the path was removed while the walk passed from shard to shard, or that a
 * map was old. A leg with the answer STALE_START changed nothing, and all earlier legs are settled. The walk begins anew
 * with a new request id. Under the old id, a shard might for ever repeat a recorded answer that leads to the removed
 * directory. If there can be no recorded answer, the request keeps its id: should its first try arrive at the shard a
 * second time, it is still done once.
 */
public final class RetryingCall {
    /**
     * Largest number of hops of one request from shard to shard. The number is enough for a rename between two paths of
     * the greatest depth, and for a few changes of the map.
     */
    static final int MAX_HOPS = 2 * FsPath.MAX_DEPTH + 16;

    /**
     * Largest number of path walks that one request begins from the root. If so many walks in a row fail, although each
     * walk is short and follows a pause, the tree changes all the time.
     */
    static final int MAX_WALKS = 16;

    /** Decides when the tries end, if a caller may leave before the request is settled. */
    public interface Audience {
        Audience NONE = new Audience() {
            @Override
            public boolean isGone() {
                return false;
            }

            @Override
            public boolean mustKnow() {
                return false;
            }

            @Override
            public void overdue(Settled inDoubt) {}
        };

        /**
         * Whether the caller no longer waits. After the caller has left, the client sends a try only to learn the
         * outcome of an unanswered try.
         */
        boolean isGone();

        /** Whether tries go on after the operation timeout if a shard may have executed an earlier try. */
        boolean mustKnow();

        /** Called when the operation timeout is over and the outcome of the request is unknown. */
        void overdue(Settled inDoubt);
    }

    private final Courier courier;
    private final Operation operation;
    private final Question question;
    private final Courier.Stamp stamp;
    private final Audience audience;
    private final long startNanos;
    private final CompletableFuture<Settled> result = new CompletableFuture<>();

    private final Destination firstDestination;
    private final MessageLite firstBody;
    /** The request with whole paths, if paths are looked up so. */
    private final Optional<Question.Whole> whole;

    private Destination destination;
    private MessageLite body;
    /** Whether the request is sent with whole paths now. */
    private boolean isWhole;
    /** The shard that was asked last. */
    private int askedShard;

    /** Shards to which WRONG_PARTITION has sent the request since the last pause. */
    private final Set<Integer> sentTo = new HashSet<>();

    /** Legs under the present request id that were asked again after silence. Their shards keep what they answered. */
    private final Set<MessageLite> recorded = new HashSet<>();

    private int hops;
    private int walks = 1;
    private int failures;
    /** Whether a shard may have executed an unanswered try of the present leg. */
    private boolean doubtful;
    /** Whether the operation timeout is over and the tries go on. */
    private boolean overdue;

    private volatile @Nullable CompletableFuture<?> underWay;

    RetryingCall(Courier courier, Operation operation, Question question, Courier.Stamp stamp, Audience audience) {
        this.courier = courier;
        this.operation = operation;
        this.question = question;
        this.stamp = stamp;
        this.audience = audience;
        this.startNanos = courier.clock().monotonicNanos();
        this.whole = courier.directories().flatMap(known -> question.whole());
        this.firstDestination = whole.map(
                        each -> courier.directories().orElseThrow().first(question.kind(), each.path()))
                .orElse(question.destination());
        this.firstBody = whole.map(each -> each.body().apply(firstDestination instanceof Destination.Shard))
                .orElse(question.body());
        this.destination = firstDestination;
        this.body = firstBody;
        this.isWhole = whole.isPresent();
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
        if (courier.pauses().areOver()) {
            settle(failed(FsError.CANCELLED, Courier.CLOSED), Answerer.unasked(destination));
            return;
        }
        if (audience.isGone() && !doubtful) {
            settle(failed(FsError.CANCELLED, "nobody waits for it"), Answerer.unasked(destination));
            return;
        }
        var unused = courier.map(startNanos).whenComplete((cluster, failure) -> {
            if (cluster == null) {
                withoutMap(Futures.unwrap(failure));
                return;
            }
            destination = destination.pinned(cluster);
            askedShard = destination.headerShard(cluster) - 1;
            Optional<ServerAddress> server = destination.address(cluster);
            if (server.isEmpty()) {
                String message = "cluster map of epoch " + cluster.epoch() + " has no address of " + destination;
                settleOrRepeat(failed(FsError.UNREACHABLE, message), Answerer.unasked(destination));
            } else {
                send(server.get(), askedShard + 1);
            }
        });
    }

    /**
     * Repeats the try or gives up, after the client got no cluster map. Without a map the client knows no server, so
     * this try has sent nothing. A try that sent nothing adds no doubt about the outcome.
     */
    private void withoutMap(Throwable failure) {
        failures++;
        long pauseMillis = courier.rule().pauseMillis(failures);
        if (courier.pauses().areOver()) {
            settle(failed(FsError.CANCELLED, Courier.CLOSED), Answerer.NOBODY);
        } else if (courier.isMapOver(failure, startNanos, pauseMillis)) {
            FsError error = failure instanceof FsException refused ? refused.error() : FsError.UNREACHABLE;
            settle(failed(error, failure.getMessage()), Answerer.NOBODY);
        } else {
            courier.counters().retries.increment();
            attemptAfter(pauseMillis);
        }
    }

    private Reply failed(FsError error, @Nullable String message) {
        String text = String.valueOf(message);
        String prefix = error + ": ";
        return Reply.refused(question.kind(), error, text.startsWith(prefix) ? text.substring(prefix.length()) : text);
    }

    private void send(ServerAddress server, int headerShard) {
        CompletableFuture<Reply> attempt = courier.attempt(
                operation,
                question.kind(),
                question.step(),
                server,
                headerShard,
                body,
                Payload.EMPTY,
                this::stamp,
                overdue ? courier.rule().attemptTimeoutMillis() : courier.rule().attemptMillis(body, elapsedNanos()));
        underWay = attempt;
        if (result.isCancelled()) {
            attempt.cancel(true);
        }
        var unused = attempt.whenComplete((reply, broken) -> {
            if (reply != null) {
                courier.cluster().seen(reply.header().getEpoch());
                try {
                    settleOrRepeat(reply, new Answerer(destination, server));
                } catch (RuntimeException e) {
                    result.completeExceptionally(e);
                }
            } else if (!result.isDone()) {
                result.completeExceptionally(broken);
            }
        });
    }

    private void stamp(RequestHeader.Builder header) {
        header.setRepeatedTry(doubtful);
        stamp.put(header);
    }

    private void settleOrRepeat(Reply reply, Answerer from) {
        switch (RetryRule.verdict(reply.error())) {
            case SETTLED -> settle(reply, from);
            case GO_ON_ELSEWHERE -> goOnElsewhere(reply, from);
            case FROM_THE_ROOT -> walkAgain(reply, from);
            case AGAIN -> repeat(reply, from, false);
            case REFRESH_THEN_AGAIN -> repeat(reply, from, true);
        }
    }

    private void settle(Reply reply, Answerer from) {
        if (isWhole && !from.isNobody()) {
            courier.directories()
                    .orElseThrow()
                    .answered(question.kind(), whole.orElseThrow().path(), body, reply, askedShard);
        }
        if (!result.complete(new Settled(reply, from, doubtful))) {
            reply.payload().release();
        }
    }

    /**
     * Begins the next leg. The reply names the next shard. With WRONG_PARTITION, that is the shard of the partition that
     * has the name.
     */
    private void goOnElsewhere(Reply reply, Answerer from) {
        ReplyHeader header = reply.header();
        OptionalInt shard = nextShard(header);
        if (!isWhole && question.kind() != Kind.RENAME && header.getContinueDirectory() == 0) {
            shard = OptionalInt.empty();
        }
        Optional<PartitionMap> map;
        try {
            map = learn(reply);
        } catch (IllegalArgumentException e) {
            reply.payload().release();
            settle(
                    failed(FsError.FAULT, destination + " answered " + question.step() + " with " + e.getMessage()),
                    from);
            return;
        }
        if (question.elsewhere().isEmpty() || shard.isEmpty() || ++hops > MAX_HOPS) {
            sentOnInVain(reply, from);
            return;
        }
        Destination nextDestination = new Destination.Shard(shard.getAsInt());
        boolean isSentOn = isWhole && header.getContinueShard() > 0 && header.getContinueDirectory() == 0;
        MessageLite nextBody = isSentOn
                ? whole.orElseThrow().body().apply(true)
                : question.elsewhere().get().apply(header);
        if (doubtful) {
            recorded.add(body);
        }
        if (recorded.contains(nextBody) && !isSentOn) {
            // The way has changed since. The answer that is kept there for this request would lead here again.
            if (walks == MAX_WALKS) {
                sentOnInVain(reply, from);
            } else {
                beginWalk(reply, from);
            }
            return;
        }
        doubtful = false;
        if (isWhole && !isSentOn && header.getContinuePath().isEmpty()) {
            // It goes on with the object itself, so the name was there.
            courier.directories().orElseThrow().found(whole.orElseThrow().path(), askedShard);
        }
        isWhole = isSentOn;
        if (isSentOn) {
            // The walk may come back to a shard. The answer recorded there under this id would lead away again.
            beginAnew();
            courier.counters().lookupsSentOn.increment();
        }
        boolean isSame = nextDestination.equals(destination) && nextBody.equals(body);
        boolean wasThere = reply.error() == FsError.WRONG_PARTITION && !sentTo.add(shard.getAsInt());
        destination = wasThere ? home(map, nextDestination) : nextDestination;
        body = nextBody;
        if (isSame || wasThere) {
            // The reply leads to the same shard again, because a map is about to change.
            sentTo.clear();
            repeat(reply, from, false);
            return;
        }
        reply.payload().release();
        attempt();
    }

    /** Fails, because the reply leads nowhere, or too many replies have led elsewhere. */
    private void sentOnInVain(Reply reply, Answerer from) {
        reply.payload().release();
        String message = destination + " sent " + question.step() + " on to directory "
                + new Handle(reply.header().getContinueDirectory()) + ", hop " + hops + " of walk " + walks;
        settle(failed(FsError.FAULT, message), from);
    }

    /** Goes on under another request id. Nothing that was asked under the present one is in doubt. */
    private void beginAnew() {
        stamp.beginAnew();
        recorded.clear();
    }

    /**
     * The home shard of the directory whose map came. Other shards may have old maps that lead in a circle. The directory
     * itself is its first partition.
     */
    private static Destination home(Optional<PartitionMap> map, Destination otherwise) {
        return map.isPresent()
                ? new Destination.Shard(map.get().partitions().get(0).handle().shard())
                : otherwise;
    }

    /**
     * Remembers the map of a WRONG_PARTITION reply, and returns it. Empty if the reply brings none.
     *
     * @throws IllegalArgumentException if the map makes no sense; the message names the wrong part
     */
    private Optional<PartitionMap> learn(Reply reply) {
        if (reply.error() != FsError.WRONG_PARTITION
                || !isWhole
                || !reply.header().hasPartitionMap()) {
            return Optional.empty();
        }
        PartitionMap map = PartitionMap.fromProto(reply.header().getPartitionMap());
        courier.directories()
                .orElseThrow()
                .learned(whole.orElseThrow().path(), body, map, reply.header().getMapOfObject());
        return Optional.of(map);
    }

    /** The shard of the next leg; empty if the reply names no shard. */
    private static OptionalInt nextShard(ReplyHeader header) {
        if (header.getContinueShard() > 0) {
            return OptionalInt.of(header.getContinueShard() - 1);
        }
        Handle directory = new Handle(header.getContinueDirectory());
        if (!directory.isOwnedByShard()) {
            return OptionalInt.empty();
        }
        return OptionalInt.of(directory.shard());
    }

    /**
     * Begins the path walk again from the root. There is no other beginning if the walk is still in its first leg, or
     * if the request names no path. A whole path always begins at the root.
     */
    private void walkAgain(Reply reply, Answerer from) {
        if (question.elsewhere().isEmpty() || (body.equals(firstBody) && !isWhole) || walks == MAX_WALKS) {
            settle(reply, from);
        } else {
            beginWalk(reply, from);
        }
    }

    private void beginWalk(Reply reply, Answerer from) {
        // With a whole path each leg has a request id of its own.
        boolean mayBeRecorded = doubtful || !isWhole;
        walks++;
        hops = 0;
        doubtful = false;
        destination = firstDestination;
        body = firstBody;
        isWhole = whole.isPresent();
        if (mayBeRecorded) {
            beginAnew();
        }
        repeat(reply, from, false);
    }

    private void repeat(Reply reply, Answerer from, boolean refreshFirst) {
        doubtful |= reply.error().outcomeUnknown();
        failures++;
        long pauseMillis = courier.rule().pauseMillis(failures);
        if (courier.pauses().areOver()) {
            reply.payload().release();
            settle(failed(FsError.CANCELLED, Courier.CLOSED), from);
            return;
        }
        if (courier.isOver(startNanos, pauseMillis)) {
            if (!doubtful || !audience.mustKnow()) {
                settle(reply, from);
                return;
            }
            overdue = true;
            audience.overdue(new Settled(failed(reply.error(), reply.header().getMessage()), from, true));
        }
        reply.payload().release();
        courier.counters().retries.increment();
        askAnotherIfAway(reply.error());
        if (refreshFirst) {
            var unused = courier.cluster().refresh().whenComplete((cluster, failure) -> attemptAfter(pauseMillis));
            return;
        }
        if (RetryRule.hintsAtMove(reply.error())) {
            var unused = courier.cluster().refresh();
        }
        attemptAfter(pauseMillis);
    }

    /**
     * Lets the next try go to the next shard if the asked one is away. Any shard may be asked with a whole path. If a
     * change may have been executed, it must be asked for where it was.
     */
    private void askAnotherIfAway(FsError error) {
        boolean mayMove = !doubtful || question.kind().target() == Kind.Target.MDS_READ;
        Optional<ClusterView> map = courier.cluster().present();
        boolean isAway = error.isSilence() || error == FsError.UNAVAILABLE;
        if (!isWhole || !isAway || !mayMove || map.isEmpty()) {
            return;
        }
        destination =
                new Destination.Shard((askedShard + 1) % map.get().shards().serving());
        body = whole.orElseThrow().body().apply(false);
        beginAnew();
    }

    private void attemptAfter(long pauseMillis) {
        courier.pauses().then(pauseMillis, this::attempt);
    }
}
