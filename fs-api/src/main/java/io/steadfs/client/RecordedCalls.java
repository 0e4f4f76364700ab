package io.steadfs.client;

import io.steadfs.error.FsError;
import io.steadfs.rpc.Reply;
import java.util.concurrent.CompletableFuture;

/**
 * Changes, whose replies the servers record by (session, request id). One request keeps its id through all its tries,
 * so that it is executed once at most.
 *
 * <p>When the session turns out to be expired, nothing is known of tries that were not answered. A request without such
 * a try was not executed, for certain, and goes on under a new session and id. One with such a try fails with
 * SESSION_EXPIRED, and so does one that belongs to the old session: an attach or a close by its writer.
 */
final class RecordedCalls {
    /** Sessions that one request tries; each is new, so that even a second one means servers in trouble. */
    private static final int MAX_SESSIONS = 4;

    private final Courier courier;
    private final SessionKeeper sessions;

    RecordedCalls(Courier courier, SessionKeeper sessions) {
        this.courier = courier;
        this.sessions = sessions;
    }

    /** A reply with the session that it was recorded in. */
    record Recorded(Reply reply, Session session) {}

    /** Asks within the present session, or a new one. */
    CompletableFuture<Recorded> ask(Operation operation, Question question) {
        return ask(operation, question, 1);
    }

    private CompletableFuture<Recorded> ask(Operation operation, Question question, int tries) {
        return Linked.then(
                sessions.current(),
                session -> Linked.then(settle(operation, question, session), settled -> {
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

    /** Asks within this session and no other. */
    CompletableFuture<Reply> askWithin(Session session, Operation operation, Question question) {
        return Linked.map(settle(operation, question, session), settled -> {
            if (!settled.isOk()) {
                throw settled.refusal(operation, question);
            }
            return settled.reply();
        });
    }

    private CompletableFuture<Settled> settle(Operation operation, Question question, Session session) {
        long requestId = session.take();
        CompletableFuture<Settled> answer =
                courier.settle(operation, question, header -> session.stamp(header, requestId));
        var unused = answer.whenComplete((settled, failure) -> session.release(requestId));
        // Not in the dependent above: what comes after this call must find the id given back and the session ended.
        return Linked.map(answer, settled -> {
            session.release(requestId);
            if (settled.reply().error() == FsError.SESSION_EXPIRED) {
                sessions.expired(session);
            }
            return settled;
        });
    }
}
