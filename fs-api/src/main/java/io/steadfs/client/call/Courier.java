package io.steadfs.client.call;

import com.google.protobuf.MessageLite;
import io.steadfs.cluster.ClusterMapCache;
import io.steadfs.cluster.ClusterView;
import io.steadfs.error.FsException;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.RequestHeader;
import java.util.concurrent.CompletableFuture;

/**
 * The client's way to servers. It fills headers, and sends a single try ({@link #attempt}) or repeats until the request is settled
 * ({@link #ask}). Thread-safe.
 *
 * @param pauses between tries, until the client closes
 * @param rule when to send again
 * @param memory that the bytes of open files may take
 */
public record Courier(
        Transport transport,
        Clock clock,
        Scheduler scheduler,
        Pauses pauses,
        ClusterMapCache cluster,
        RetryRule rule,
        Caller caller,
        ClientCounters counters,
        StreamMemory memory) {

    /** Message of errors after the client was closed. */
    public static final String CLOSED = "the client is closed";

    /** The same courier over another transport. */
    public Courier over(Transport other) {
        return new Courier(other, clock, scheduler, pauses, cluster, rule, caller, counters, memory);
    }

    /** The same courier for a series of messages, where each waits for the one before: {@link Transport#line}. */
    public Courier line() {
        return over(transport.line());
    }

    /** The session fields of a recorded request's header. They are set anew for each try. */
    public interface Stamp {
        Stamp NONE = header -> {};

        /** @param header has the shard already */
        void put(RequestHeader.Builder header);

        /** The request was certainly not executed anywhere, and is now sent as a new one. */
        default void beginAnew() {}
    }

    /** Whether there is no other try after this pause: the operation that began then has had its time, or the client is closed. */
    public boolean isOver(long beganNanos, long pauseMillis) {
        return pauses.areOver() || rule.isOver(clock.monotonicNanos() - beganNanos, pauseMillis);
    }

    /**
     * The cluster map for an operation that began then. It is asked for once. If no metadata server was ever reached, the operation waits
     * for it no longer than {@link RetryRule#REACH_TIMEOUT} from its beginning.
     */
    CompletableFuture<ClusterView> map(long beganNanos) {
        CompletableFuture<ClusterView> map = cluster.get();
        if (map.isDone() || cluster.isReached()) {
            return map;
        }
        long leftMillis = rule.reachMillis(clock.monotonicNanos() - beganNanos);
        Scheduler.Cancellable end = scheduler.after(leftMillis, () -> {
            if (!cluster.isReached()) {
                map.completeExceptionally(cluster.failure());
            }
        });
        var unused = map.whenComplete((known, failure) -> end.cancel());
        return map;
    }

    /** Whether the map is not asked for again after this failure and pause. This is for the map what {@link #isOver} is for requests. */
    boolean isMapOver(Throwable failure, long beganNanos, long pauseMillis) {
        if (cluster.isReached()) {
            return isOver(beganNanos, pauseMillis) || isFinal(failure);
        }
        return pauses.areOver()
                || isFinal(failure)
                || rule.isReachingOver(clock.monotonicNanos() - beganNanos, pauseMillis);
    }

    private static boolean isFinal(Throwable failure) {
        return failure instanceof FsException refused && ClusterMapCache.isFinal(refused.error());
    }

    /**
     * Sends one try and takes over the payload. Never completes exceptionally, but may be cancelled.
     *
     * @param headerShard as {@link Destination#headerShard} says
     */
    public CompletableFuture<Reply> attempt(
            Operation operation,
            Kind kind,
            String step,
            ServerAddress server,
            int headerShard,
            MessageLite body,
            Payload payload,
            Stamp stamp,
            long timeoutMillis) {
        RequestHeader.Builder header = RequestHeader.newBuilder()
                .setKind(kind.number())
                .setTraceId(operation.traceId())
                .setStep(step)
                .setEpoch(cluster.epoch())
                .setDeadlineMillis((int) Math.min(Integer.MAX_VALUE, timeoutMillis))
                .setShard(headerShard)
                .setCaller(caller);
        stamp.put(header);
        return transport.send(server, new Request(kind, header.build(), body, payload), timeoutMillis);
    }

    /** Sends the request until it is settled. Completes normally with refusals too. Cancelling takes back the try under way. */
    public CompletableFuture<Settled> settle(Operation operation, Question question, Stamp stamp) {
        return settle(operation, question, stamp, RetryingCall.Audience.NONE);
    }

    /** As {@link #settle(Operation, Question, Stamp)}, for an audience that decides how long the tries go on. */
    public CompletableFuture<Settled> settle(
            Operation operation, Question question, Stamp stamp, RetryingCall.Audience audience) {
        return new RetryingCall(this, operation, question, stamp, audience).begin();
    }

    /** As {@link #settle}, without a session. Fails if the request was refused. The receiver owns the reply's payload. */
    public CompletableFuture<Reply> ask(Operation operation, Question question) {
        return Futures.map(settle(operation, question, Stamp.NONE), settled -> {
            if (!settled.isOk()) {
                throw settled.refusal(operation, question);
            }
            return settled.reply();
        });
    }
}
