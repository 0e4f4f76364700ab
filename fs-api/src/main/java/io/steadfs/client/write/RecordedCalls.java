package io.steadfs.client.write;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Operation;
import io.steadfs.client.call.Question;
import io.steadfs.client.call.RetryingCall;
import io.steadfs.client.call.Session;
import io.steadfs.client.call.SessionKeeper;
import io.steadfs.client.call.Settled;
import io.steadfs.error.FsError;
import io.steadfs.rpc.Reply;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * Changes, whose replies the servers record by (session, request id). One request keeps its id through all its tries, so that it is
 * executed once at most. There is one exception: a request that was certainly not executed, because its walk lost its way between shards,
 * goes on under another id.
 *
 * <p>When the session turns out to be expired, the outcome of unanswered tries stays unknown. A request without an unanswered try was
 * certainly not executed, and goes on under a new session and id. A request with an unanswered try fails with SESSION_EXPIRED. So does a
 * request that belongs to the old session: an attach or a close by its writer.
 */
public final class RecordedCalls {
    /** Most sessions that one request tries. Each is new, so even a second expired one means that servers are in trouble. */
    private static final int MAX_SESSIONS = 4;

    private final Courier courier;
    private final SessionKeeper sessions;
    private final Optional<Opening> opening;

    public RecordedCalls(Courier courier, SessionKeeper sessions) {
        this(courier, sessions, Optional.empty());
    }

    private RecordedCalls(Courier courier, SessionKeeper sessions, Optional<Opening> opening) {
        this.courier = courier;
        this.sessions = sessions;
        this.opening = opening;
    }

    /** The same calls, sent by another courier. */
    public RecordedCalls by(Courier other) {
        return new RecordedCalls(other, sessions, opening);
    }

    /** The same calls for opening a file. Requests by {@link #ask} or {@link #settleOpening} go on as long as the opening does. */
    public RecordedCalls opening(Opening one) {
        return new RecordedCalls(courier, sessions, Optional.of(one));
    }

    /** A reply, and the session in which it was recorded. */
    public record Recorded(Reply reply, Session session) {}

    /** Asks within the present session, or a new one. */
    public CompletableFuture<Recorded> ask(Operation operation, Question question) {
        return ask(operation, question, 1);
    }

    private CompletableFuture<Recorded> ask(Operation operation, Question question, int tries) {
        return Futures.then(
                sessions.current(),
                session -> Futures.then(
                        settle(operation, question, session, audience(operation, question, session)), settled -> {
                            if (settled.isOk()) {
                                return CompletableFuture.completedFuture(new Recorded(settled.reply(), session));
                            }
                            if (settled.reply().error() == FsError.SESSION_EXPIRED
                                    && !settled.doubtful()
                                    && tries < MAX_SESSIONS) {
                                settled.reply().payload().release();
                                return ask(operation, question, tries + 1);
                            }
                            throw settled.refusal(operation, question);
                        }));
    }

    private RetryingCall.Audience audience(Operation operation, Question question, Session session) {
        return opening.map(one -> one.within(session, operation, question)).orElse(RetryingCall.Audience.NONE);
    }

    /** Asks within this session and no other. */
    CompletableFuture<Reply> askWithin(Session session, Operation operation, Question question) {
        return Futures.map(settleWithin(session, operation, question), settled -> {
            if (!settled.isOk()) {
                throw settled.refusal(operation, question);
            }
            return settled.reply();
        });
    }

    /** As {@link #askWithin}. Completes normally with refusals too. */
    public CompletableFuture<Settled> settleWithin(Session session, Operation operation, Question question) {
        return settle(operation, question, session, RetryingCall.Audience.NONE);
    }

    /** As {@link #settleWithin}, for a request that is a step of opening a file: it goes on as long as {@link #ask} does. */
    public CompletableFuture<Settled> settleOpening(Session session, Operation operation, Question question) {
        return settle(operation, question, session, audience(operation, question, session));
    }

    private CompletableFuture<Settled> settle(
            Operation operation, Question question, Session session, RetryingCall.Audience audience) {
        Session.Request request = session.request();
        CompletableFuture<Settled> answer = courier.settle(operation, question, request, audience);
        var unused = answer.whenComplete((settled, failure) -> request.release());
        // Not in the dependent future above: code that runs after this call must find the id given back and the session
        // ended.
        return Futures.map(answer, settled -> {
            request.release();
            if (settled.reply().error() == FsError.SESSION_EXPIRED) {
                sessions.expired(session);
            }
            return settled;
        });
    }
}
