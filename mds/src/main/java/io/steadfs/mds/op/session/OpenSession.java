package io.steadfs.mds.op.session;

import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.Sessions;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.OpenSessionReply;
import io.steadfs.wire.proto.OpenSessionRequest;
import java.util.Optional;

/**
 * Begins a session under the id that the client chose. If the same user has already begun the session, the reply is the
 * same as before.
 */
public final class OpenSession implements Operation<OpenSessionRequest> {
    static final int MAX_CLIENT_CHARS = 1024;

    private final long durationMillis;

    public OpenSession(long durationMillis) {
        this.durationMillis = durationMillis;
    }

    @Override
    public Decision<Reply> decide(OpenSessionRequest request, Principal principal, ReadView view, Inputs inputs) {
        long id = request.getSession();
        if (id == 0) {
            return refuse(FsError.INVALID_ARGUMENT, "session 0 is no session");
        }
        if (request.getClient().length() > MAX_CLIENT_CHARS) {
            return refuse(
                    FsError.TOO_LARGE,
                    "a client's description of " + request.getClient().length() + " characters is above "
                            + MAX_CLIENT_CHARS);
        }
        Optional<Reply> elsewhere = SessionHome.refusal(Kind.OPEN_SESSION, id, request.getHome(), inputs);
        if (elsewhere.isPresent()) {
            return Decision.of(elsewhere.get());
        }
        Reply opened = Reply.ok(
                OpenSessionReply.newBuilder().setDurationMillis(durationMillis).build());
        Optional<Session> present = Sessions.find(view, id);
        if (present.isEmpty()) {
            Session session = new Session(
                    id, request.getClient(), principal.user(), 1, inputs.wallMillis(), false, request.getHome());
            return Decision.of(opened, new SessionPut(session));
        }
        if (present.get().ended()) {
            return refuse(FsError.SESSION_EXPIRED, "session " + Session.name(id) + " has ended; choose another id");
        }
        return present.get()
                .refusalTo(principal.user())
                .map(why -> refuse(FsError.PERMISSION_DENIED, why))
                .orElseGet(() -> Decision.of(opened));
    }

    private static Decision<Reply> refuse(FsError error, String message) {
        return Decision.of(Reply.refused(Kind.OPEN_SESSION, error, message));
    }
}
