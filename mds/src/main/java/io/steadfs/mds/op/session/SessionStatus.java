package io.steadfs.mds.op.session;

import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.pipeline.Query;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.Sessions;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.SessionStatusReply;
import io.steadfs.wire.proto.SessionStatusRequest;
import java.util.Optional;

/**
 * Tells another shard which sessions of this home shard are alive. A session without a row is not alive: it ended long
 * ago, or it never asked for a change. A session's opening is durable before the session asks for its first change.
 */
public final class SessionStatus implements Query<SessionStatusRequest> {
    public static final int MAX_SESSIONS = 1000;

    @Override
    public Reply answer(SessionStatusRequest request, Principal principal, ReadView view, Inputs inputs) {
        if (request.getSessionsCount() > MAX_SESSIONS) {
            return Reply.refused(
                    Kind.SESSION_STATUS,
                    FsError.TOO_LARGE,
                    request.getSessionsCount() + " sessions in one question are above " + MAX_SESSIONS);
        }
        SessionStatusReply.Builder reply = SessionStatusReply.newBuilder();
        for (long id : request.getSessionsList()) {
            Optional<Reply> refusal = SessionHome.refusal(Kind.SESSION_STATUS, id, request.getHome(), inputs);
            if (refusal.isPresent()) {
                return refusal.get();
            }
            reply.addSessions(status(id, Sessions.find(view, id)));
        }
        return Reply.ok(reply.build());
    }

    private static SessionStatusReply.Status status(long id, Optional<Session> session) {
        SessionStatusReply.Status.Builder status =
                SessionStatusReply.Status.newBuilder().setSession(id);
        session.filter(present -> !present.ended())
                .ifPresent(
                        alive -> status.setAlive(true).setClient(alive.client()).setUser(alive.user()));
        return status.build();
    }
}
