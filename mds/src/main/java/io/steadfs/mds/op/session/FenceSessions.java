package io.steadfs.mds.op.session;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.op.ground.WhereSettled;
import io.steadfs.mds.outbox.Outbox;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.Sessions;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.FenceSessionsReply;
import io.steadfs.wire.proto.FenceSessionsRequest;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Ends sessions on this shard for good. If this shard does not know a session, it adds a row that marks the session as
 * ended. So this shard executes no request of the session that is still on its way. The row of an ended session is
 * removed only after the session's home has also said that the session is not alive. The reaper clears what the
 * sessions leave.
 *
 * <p>The caller may list metafiles without a name that the fenced sessions made on the caller's shard. The reply tells
 * which of the listed metafiles got a name here by an earlier decision. The reply leaves out a metafile whose notice
 * was already acknowledged. After this decision, none of the listed metafiles gets a name here.
 */
public final class FenceSessions implements Operation<FenceSessionsRequest> {
    public static final int MAX_SESSIONS = 1000;
    public static final int MAX_METAFILES = 1000;

    @Override
    public Decision<Reply> decide(FenceSessionsRequest request, Principal principal, ReadView view, Inputs inputs) {
        Optional<String> unsettled = WhereSettled.whyNot(view, inputs);
        if (unsettled.isPresent()) {
            return refuse(FsError.BUSY, unsettled.get());
        }
        if (request.getSessionsCount() > MAX_SESSIONS) {
            return refuse(
                    FsError.TOO_LARGE,
                    request.getSessionsCount() + " sessions to fence in one message are above " + MAX_SESSIONS);
        }
        if (request.getMetafilesCount() > MAX_METAFILES) {
            return refuse(
                    FsError.TOO_LARGE,
                    request.getMetafilesCount() + " metafiles in one question are above " + MAX_METAFILES);
        }
        if (request.getSessionsList().contains(0L)) {
            return refuse(FsError.INVALID_ARGUMENT, "session 0 is no session");
        }
        for (long metafile : request.getMetafilesList()) {
            if (!new Handle(metafile).isOwnedByShard()) {
                return refuse(
                        FsError.INVALID_ARGUMENT, "handle " + new Handle(metafile) + " names no metafile of a shard");
            }
        }
        List<LogRecord> records = new ArrayList<>();
        for (long id : request.getSessionsList()) {
            Optional<Session> session = Sessions.find(view, id);
            if (session.isEmpty()) {
                records.add(
                        new SessionPut(new Session(id, "fenced", "", 1, inputs.wallMillis(), true, request.getHome())));
            } else if (!session.get().ended()) {
                records.add(new SessionPut(session.get().withEnd()));
            }
        }
        return new Decision<>(records, Reply.ok(linked(request, view)));
    }

    /**
     * The reply with the metafiles that got a name here. A notice of a name stays in the outbox until the metafile's
     * shard has the notice.
     */
    private static FenceSessionsReply linked(FenceSessionsRequest request, ReadView view) {
        FenceSessionsReply.Builder reply = FenceSessionsReply.newBuilder();
        for (long metafile : request.getMetafilesList()) {
            if (Outbox.holdsLinked(view, new Handle(metafile))) {
                reply.addLinked(metafile);
            }
        }
        return reply.build();
    }

    private static Decision<Reply> refuse(FsError error, String message) {
        return Decision.of(Reply.refused(Kind.FENCE_SESSIONS, error, message));
    }
}
