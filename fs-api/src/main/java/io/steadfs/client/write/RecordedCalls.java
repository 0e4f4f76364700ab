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
 * Sends requests that change something. The servers record the reply to each request under its session and request id.
 * All tries of a request have the same id, so that servers execute the request at most once. Within a session, only a
 * request whose path walk meets a removed directory goes on under a new id. A request that met a removed directory was
 * certainly not executed.
 *
 * <p>If the session has expired, the client cannot learn the outcome of unanswered tries. A request without an
 * unanswered try was certainly not executed, and goes on in a new session under a new id. A request with an unanswered
 * try fails with SESSION_EXPIRED. A writer's attach or close also fails with SESSION_EXPIRED, because the writer
 * belongs to the expired session.
 */
public final class RecordedCalls {
    /**
     * Number of sessions that one request tries at most. If several new sessions expire, the servers are in trouble.
     */
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

    /** Returns the same calls, but sent by another courier. */
    public RecordedCalls by(Courier other) {
        return new RecordedCalls(other, sessions, opening);
    }

    /**
     * Returns the same calls, but for opening a file. The given opening decides how long {@link #ask} and {@link
     * #settleOpening} repeat a request.
     */
    public RecordedCalls opening(Opening one) {
        return new RecordedCalls(courier, sessions, Optional.of(one));
    }

    /** A reply, and the session in which the servers recorded the reply. */
    public record Recorded(Reply reply, Session session) {}

    /** Sends a request in the present session, or in a new session if there is none. */
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

    /** Sends a request in this session and in no other session. */
    CompletableFuture<Reply> askWithin(Session session, Operation operation, Question question) {
        return Futures.map(settleWithin(session, operation, question), settled -> settled.orThrow(operation, question));
    }

    /** Like the method {@link #askWithin}, but the future completes normally after a refusal too. */
    public CompletableFuture<Settled> settleWithin(Session session, Operation operation, Question question) {
        return settle(operation, question, session, RetryingCall.Audience.NONE);
    }

    /**
     * Like the method {@link #settleWithin}, for a request that is a step of opening a file. The opening decides how
     * long the request is repeated.
     */
    public CompletableFuture<Settled> settleOpening(Session session, Operation operation, Question question) {
        return settle(operation, question, session, audience(operation, question, session));
    }

    private CompletableFuture<Settled> settle(
            Operation operation, Question question, Session session, RetryingCall.Audience audience) {
        Session.Request request = session.request();
        courier.attributes().ifPresent(known -> known.changed(question));
        CompletableFuture<Settled> answer = courier.settle(operation, question, request, audience);
        var unused = answer.whenComplete((settled, failure) -> over(question, request));
        // Code that runs after this call must find the id released and the session ended. So the id is released here
        // too, before the returned future completes.
        return Futures.map(answer, settled -> {
            over(question, request);
            if (settled.reply().error() == FsError.SESSION_EXPIRED) {
                sessions.expired(session);
            }
            return settled;
        });
    }

    private void over(Question question, Session.Request request) {
        courier.attributes().ifPresent(known -> known.changed(question));
        request.release();
    }
}
