package io.steadfs.mds.call;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.error.Resolver;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.Leg;
import io.steadfs.mds.session.RecordedReplies;
import io.steadfs.mds.session.RepliesPruned;
import io.steadfs.mds.session.ReplyKept;
import io.steadfs.mds.session.ReplyRecorded;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.store.Unsettled;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RequestHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Executes an operation at most once for each leg of (session, request id), however often the request arrives. The
 * reply becomes a record in the same batch as the changes of the operation. Refusals become records too. Before
 * anything else, a recorded reply is looked up. A retry therefore gets the reply of the first arrival, whatever has
 * changed since.
 *
 * <pre>
 *  answer                                 is kept
 *  done, or refused for good              always
 *  CONTINUE, WRONG_PARTITION, STALE_START if something changed, or if an earlier try may still arrive: the client goes on
 *                                         elsewhere, and a late try must not be executed here as well
 *  NO_SPACE                               if an earlier try may still arrive, which must not be executed after the caller
 *                                         got this answer; else not, because the record would fill the disk further
 *  BUSY and the like, NOT_OWNER,
 *  STALE_EPOCH                            never: they ask for a retry and changed nothing; the retry is decided anew
 * </pre>
 *
 * <p>The home of a session may be another shard. This shard then does not know the session at the session's first
 * change. {@link GuestSessions} asks the home shard. The answer of the home shard becomes a row in the batch of the
 * decision.
 *
 * <p>Every request says which ids of its session are settled. The replies of settled ids are removed, about
 * {@value #PRUNE_EVERY} at a time. The same batch raises the session's floor. Ids below the floor are refused forever.
 *
 * <p>The oldest unanswered id of a session may fall {@value #MAX_AHEAD} behind the newest id. Further requests then get
 * BUSY, which slows the session down. The number of kept replies is therefore limited.
 *
 * <p>The answer of a decision may not need to wait for the commit ({@link Decision#early}). Then nothing durable changed,
 * and the reply is kept only for this life of the shard.
 *
 * <p>If the operation throws {@link io.steadfs.mds.pipeline.Missing}, the exception reaches the caller.
 */
final class RecordedOperation implements Operation<MessageLite> {
    static final int PRUNE_EVERY = 64;
    static final int PRUNE_MOST = 1024;
    static final long MAX_AHEAD = 65_536;
    /**
     * How far a request may be ahead of the oldest unanswered one, so that its reply is kept in the heap alone. Replies
     * to later requests are durable.
     */
    static final long MOST_KEPT = 1_024;

    private final Kind kind;
    private final RequestHeader header;
    private final Operation<MessageLite> operation;
    private final Optional<Reply> refusal;

    /** @param refusal refusal of the precheck; empty = the precheck found nothing, or there was none */
    RecordedOperation(Kind kind, RequestHeader header, Operation<MessageLite> operation, Optional<Reply> refusal) {
        this.kind = kind;
        this.header = header;
        this.operation = operation;
        this.refusal = refusal;
    }

    @Override
    public Decision<Reply> decide(MessageLite request, Principal principal, ReadView view, Inputs inputs) {
        long id = header.getRequestId();
        if (id < 1 || header.getLowestUnanswered() < 0 || id < header.getLowestUnanswered()) {
            return refuse(
                    FsError.INVALID_ARGUMENT,
                    "request id " + id + " with lowest unanswered id " + header.getLowestUnanswered() + " of "
                            + sessionName());
        }
        Optional<Session> known = Sessions.find(view, header.getSession());
        if (known.isPresent()) {
            return decide(known.get(), Optional.empty(), request, principal, view, inputs);
        }
        Optional<String> held = header.getRepeatedTry() ? Unsettled.of(view, ShardTables.META) : Optional.empty();
        if (held.isPresent()) {
            return refuse(
                    FsError.SESSION_EXPIRED,
                    "shard " + inputs.shard() + ", " + held.get() + ", does not know " + sessionName()
                            + ": whether an earlier try was done may be lost");
        }
        GuestSessions.Found found = GuestSessions.find(header.getSession(), header.getSessionHome(), inputs);
        return found.refusal().isPresent()
                ? refuse(found.refusal().get(), found.message())
                : decide(found.session(), Optional.of(found.session()), request, principal, view, inputs);
    }

    /** @param fresh the session, if the session is a guest without a row; the decision then adds the row */
    private Decision<Reply> decide(
            Session session,
            Optional<Session> fresh,
            MessageLite request,
            Principal principal,
            ReadView view,
            Inputs inputs) {
        Optional<String> foreign = session.refusalTo(principal.user());
        if (foreign.isPresent()) {
            return refuse(FsError.PERMISSION_DENIED, foreign.get());
        }
        long id = header.getRequestId();
        if (session.ended()) {
            return refuse(FsError.SESSION_EXPIRED, "ended " + sessionName());
        }
        if (id < session.floor()) {
            return refuse(
                    FsError.SESSION_EXPIRED,
                    "request " + id + " of " + sessionName() + " is below " + session.floor()
                            + ": its reply was pruned");
        }
        Leg leg = Leg.of(id, request);
        Optional<Reply> recorded = RecordedReplies.find(view, session.id(), leg, kind);
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
                refusal.map(Decision::of).orElseGet(() -> operation.decide(request, principal, view, inputs));
        FsError error = decision.answer().error();
        if (asksForRetry(error) || (error == FsError.NO_SPACE && !header.getRepeatedTry())) {
            return withoutEffect(decision);
        }
        List<LogRecord> records = new ArrayList<>(decision.records().size() + 4);
        if (decision.early() && fresh.isEmpty() && id - header.getLowestUnanswered() < MOST_KEPT) {
            records.addAll(decision.records());
            records.add(kept(leg, decision.answer(), session, view));
            return new Decision<>(records, decision.answer(), true);
        }
        fresh.ifPresent(guest -> records.add(new SessionPut(guest)));
        records.addAll(decision.records());
        if (!goesOnElsewhere(error)
                || header.getRepeatedTry()
                || !decision.records().isEmpty()) {
            record(leg, decision.answer(), session, view, records);
        }
        return new Decision<>(records, decision.answer());
    }

    private static boolean goesOnElsewhere(FsError error) {
        return error == FsError.CONTINUE || error == FsError.WRONG_PARTITION || error == FsError.STALE_START;
    }

    private static boolean asksForRetry(FsError error) {
        return error.resolver() == Resolver.RETRY || (error.resolver() == Resolver.REFRESH && !goesOnElsewhere(error));
    }

    private Decision<Reply> withoutEffect(Decision<Reply> decision) {
        if (!decision.records().isEmpty()) {
            throw new IllegalStateException(
                    kind + " answers " + decision.answer().error() + " and yet changes " + decision.records());
        }
        return decision;
    }

    private ReplyKept kept(Leg leg, Reply answer, Session session, ReadView view) {
        List<Leg> settled =
                RecordedReplies.volatileLegs(view, session.id(), 0, header.getLowestUnanswered(), PRUNE_MOST);
        return new ReplyKept(session.id(), leg, kind, answer, settled);
    }

    /** A client that gets the recorded answer needs no map to go on, and rows would be long with it. */
    private static Reply withoutMap(Reply answer) {
        return answer.header().hasPartitionMap()
                ? new Reply(
                        answer.error(),
                        answer.header().toBuilder().clearPartitionMap().build(),
                        answer.body(),
                        answer.payload())
                : answer;
    }

    private void record(Leg leg, Reply answer, Session session, ReadView view, List<LogRecord> records) {
        records.add(new ReplyRecorded(session.id(), leg, kind, withoutMap(answer)));
        long settled = header.getLowestUnanswered();
        if (settled - session.floor() < PRUNE_EVERY) {
            return;
        }
        // The previous pruning may have left legs of the id directly below the floor.
        List<Leg> legs = RecordedReplies.legs(view, session.id(), session.floor() - 1, settled, PRUNE_MOST);
        long floor = legs.size() < PRUNE_MOST
                ? settled
                : Math.max(session.floor(), legs.get(legs.size() - 1).requestId() + 1);
        records.add(new RepliesPruned(session.id(), legs));
        records.add(new SessionPut(session.withFloor(floor)));
    }

    private Decision<Reply> refuse(FsError error, String message) {
        return Decision.of(Reply.refused(kind, error, message));
    }

    private String sessionName() {
        return "session " + Session.name(header.getSession());
    }
}
