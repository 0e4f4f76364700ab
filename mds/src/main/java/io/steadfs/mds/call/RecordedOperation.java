package io.steadfs.mds.call;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.error.Resolver;
import io.steadfs.mds.pipeline.Asker;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.RecordedReplies;
import io.steadfs.mds.session.RepliesPruned;
import io.steadfs.mds.session.ReplyRecorded;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.Sessions;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RequestHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Makes an operation happen at most once for each (session, request id), however often the request arrives. The reply
 * is a record in the same batch as its effect, refusals too, and is looked at before anything else; so a retry hears
 * what the first arrival heard, whatever changed since. Replies that ask for a retry (BUSY and the like) did nothing
 * and are not kept: their retry is decided anew.
 *
 * <p>Every request says which ids of its session are settled. Their replies are pruned, some {@value #PRUNE_EVERY} at a
 * time, together with raising the session's floor; ids below the floor are refused for ever. A session whose oldest
 * unanswered id lags {@value #MAX_AHEAD} behind its newest is held back by BUSY, which bounds the replies kept.
 */
final class RecordedOperation implements Operation<MessageLite> {
    static final int PRUNE_EVERY = 64;
    static final int PRUNE_MOST = 1024;
    static final long MAX_AHEAD = 65_536;

    private final Kind kind;
    private final RequestHeader header;
    private final Operation<MessageLite> operation;
    private final Optional<Reply> refusal;

    /** @param refusal what the check beside the writer said */
    RecordedOperation(Kind kind, RequestHeader header, Operation<MessageLite> operation, Optional<Reply> refusal) {
        this.kind = kind;
        this.header = header;
        this.operation = operation;
        this.refusal = refusal;
    }

    @Override
    public Decision<Reply> decide(MessageLite request, Asker asker, ReadView view, Inputs inputs) {
        long id = header.getRequestId();
        Optional<Session> found = Sessions.find(view, header.getSession());
        if (found.isEmpty() || found.get().ended()) {
            return refuse(FsError.SESSION_EXPIRED, (found.isEmpty() ? "unknown " : "ended ") + sessionName());
        }
        Session session = found.get();
        if (id < 1 || id < header.getLowestUnanswered()) {
            return refuse(
                    FsError.INVALID_ARGUMENT,
                    "request id " + id + " with lowest unanswered id " + header.getLowestUnanswered() + " of "
                            + sessionName());
        }
        if (id < session.floor()) {
            return refuse(
                    FsError.SESSION_EXPIRED,
                    "request " + id + " of " + sessionName() + " is below " + session.floor()
                            + ": its reply was pruned");
        }
        Optional<Reply> recorded = RecordedReplies.find(view, session.id(), id, kind);
        if (recorded.isPresent()) {
            return Decision.of(recorded.get());
        }
        if (id - Math.max(session.floor(), header.getLowestUnanswered()) > MAX_AHEAD) {
            return refuse(
                    FsError.BUSY,
                    "request " + id + " of " + sessionName() + " is more than " + MAX_AHEAD
                            + " ahead of the oldest unanswered one, " + header.getLowestUnanswered());
        }
        Decision<Reply> decision =
                refusal.map(Decision::of).orElseGet(() -> operation.decide(request, asker, view, inputs));
        return decision.answer().error().resolver() == Resolver.RETRY
                ? withoutEffect(decision)
                : withReply(decision, session, view);
    }

    private Decision<Reply> withoutEffect(Decision<Reply> decision) {
        if (!decision.records().isEmpty()) {
            throw new IllegalStateException(
                    kind + " answers " + decision.answer().error() + " and yet changes " + decision.records());
        }
        return decision;
    }

    private Decision<Reply> withReply(Decision<Reply> decision, Session session, ReadView view) {
        List<LogRecord> records = new ArrayList<>(decision.records().size() + 3);
        records.addAll(decision.records());
        records.add(new ReplyRecorded(session.id(), header.getRequestId(), kind, decision.answer()));
        long settled = header.getLowestUnanswered();
        if (settled - session.floor() >= PRUNE_EVERY) {
            List<Long> ids = RecordedReplies.ids(view, session.id(), session.floor(), settled, PRUNE_MOST);
            long floor = ids.size() < PRUNE_MOST ? settled : ids.get(ids.size() - 1) + 1;
            records.add(new RepliesPruned(session.id(), ids));
            records.add(new SessionPut(session.withFloor(floor)));
        }
        return new Decision<>(records, decision.answer());
    }

    private Decision<Reply> refuse(FsError error, String message) {
        return Decision.of(Reply.refused(kind, error, message));
    }

    private String sessionName() {
        return "session " + Session.name(header.getSession());
    }
}
