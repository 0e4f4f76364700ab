package io.steadfs.client.call;

import com.google.protobuf.MessageLite;
import io.steadfs.cluster.ClusterMapCache;
import io.steadfs.cluster.ClusterView;
import io.steadfs.error.FsError;
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
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Sends a client's requests to servers. The method {@link #attempt} sends one try. The methods {@link #ask} and
 * {@link #settle} repeat a request until the request is settled. Thread-safe.
 *
 * @param pauses pauses between tries; the client's close ends all pauses
 * @param rule rule that says whether and when to send a request again
 * @param directories where directories are; empty = paths are looked up component by component
 * @param attributes attributes that were told before; empty = none are kept
 * @param memory limit for the memory that the bytes of open files take
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
        Optional<DirectoryCache> directories,
        Optional<AttributeCache> attributes,
        StreamMemory memory) {

    /** Message of all errors that happen because the client is closed. */
    public static final String CLOSED = "the client is closed";

    /** The same courier over another transport. */
    public Courier over(Transport other) {
        return new Courier(
                other, clock, scheduler, pauses, cluster, rule, caller, counters, directories, attributes, memory);
    }

    /**
     * The same courier for a series of messages, each of which waits for the answer to the previous message
     * ({@link Transport#line}).
     */
    public Courier line() {
        return over(transport.line());
    }

    /** Sets the session fields in the header of a recorded request, anew for each try. */
    public interface Stamp {
        Stamp NONE = header -> {};

        /** @param header header of a request, in which the shard is set already */
        void put(RequestHeader.Builder header);

        /**
         * Prepares the stamp for sending the request as a new request. Called only if certainly no shard has executed
         * the request.
         */
        default void beginAnew() {}
    }

    /**
     * Whether the client makes no further try after the pause. The client makes no further try if the operation timeout
     * would be over or the client is closed.
     *
     * @param beganNanos when the operation began, in nanoseconds of the monotonic clock
     */
    public boolean isOver(long beganNanos, long pauseMillis) {
        return pauses.areOver() || rule.isOver(clock.monotonicNanos() - beganNanos, pauseMillis);
    }

    /**
     * The cluster map for one operation. If the client has no map, the client asks all metadata servers once. Until the
     * client has reached a first metadata server, the wait ends {@link RetryRule#REACH_TIMEOUT} after the operation's
     * beginning.
     *
     * @param beganNanos when the operation began, in nanoseconds of the monotonic clock
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

    /**
     * Whether the client gives up asking for the map after this failure, instead of asking again after the pause. The
     * method {@link #isOver} decides the same for other requests.
     */
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
     * Sends one try. The courier takes over the payload and later releases the payload. The future never fails, but the
     * caller may cancel the future.
     *
     * @param headerShard number of the destination shard plus 1; 0 = the destination is no shard
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

    /**
     * Sends a request once, if the present cluster map has the destination's address. The future never fails: without
     * an address the answer is UNREACHABLE.
     */
    public CompletableFuture<Reply> tryOnce(Operation operation, Question question, Stamp stamp) {
        Optional<ClusterView> map = cluster.present();
        Optional<ServerAddress> server = map.flatMap(question.destination()::address);
        return server.isEmpty()
                ? CompletableFuture.completedFuture(Reply.refused(
                        question.kind(), FsError.UNREACHABLE, "the cluster map has no " + question.destination()))
                : attempt(
                        operation,
                        question.kind(),
                        question.step(),
                        server.get(),
                        question.destination().headerShard(map.get()),
                        question.body(),
                        Payload.EMPTY,
                        stamp,
                        rule.attemptTimeoutMillis());
    }

    /**
     * Sends the request again and again until the request is settled. The future completes normally after a refusal
     * too. If the caller cancels the future, the courier takes back the try under way.
     */
    public CompletableFuture<Settled> settle(Operation operation, Question question, Stamp stamp) {
        return settle(operation, question, stamp, RetryingCall.Audience.NONE);
    }

    /**
     * Like the method {@link #settle(Operation, Question, Stamp)}, with an audience that decides when the tries end.
     */
    public CompletableFuture<Settled> settle(
            Operation operation, Question question, Stamp stamp, RetryingCall.Audience audience) {
        return new RetryingCall(this, operation, question, stamp, audience).begin();
    }

    /**
     * Like the method {@link #settle}, without a session. If a server refuses the request, the future fails. The
     * receiver owns the reply's payload.
     */
    public CompletableFuture<Reply> ask(Operation operation, Question question) {
        return Futures.map(settle(operation, question, Stamp.NONE), settled -> settled.orThrow(operation, question));
    }

    /** Like the method {@link #ask}, for a question about a path where perhaps nothing exists. Empty if so. */
    public CompletableFuture<Optional<Reply>> find(Operation operation, Question question) {
        return Futures.map(settle(operation, question, Stamp.NONE), settled -> {
            if (settled.reply().error().isAbsence()) {
                settled.reply().payload().release();
                return Optional.empty();
            }
            return Optional.of(settled.orThrow(operation, question));
        });
    }
}
