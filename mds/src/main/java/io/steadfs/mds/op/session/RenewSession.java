package io.steadfs.mds.op.session;

import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.pipeline.Query;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.mds.session.Sessions;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.time.Clock;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RenewSessionReply;
import io.steadfs.wire.proto.RenewSessionRequest;
import java.util.Optional;

/**
 * Notes in memory that the client is alive. A renewal changes nothing durable, so it does not go through the writer.
 */
public final class RenewSession implements Query<RenewSessionRequest> {
    private final long durationMillis;
    private final SessionTimes times;
    private final Clock clock;

    public RenewSession(long durationMillis, SessionTimes times, Clock clock) {
        this.durationMillis = durationMillis;
        this.times = times;
        this.clock = clock;
    }

    @Override
    public Reply answer(RenewSessionRequest request, Principal principal, ReadView view, Inputs inputs) {
        Optional<Reply> elsewhere =
                SessionHome.refusal(Kind.RENEW_SESSION, request.getSession(), request.getHome(), inputs);
        if (elsewhere.isPresent()) {
            return elsewhere.get();
        }
        Optional<Session> session = Sessions.find(view, request.getSession());
        if (session.isEmpty() || session.get().ended()) {
            return Reply.refused(
                    Kind.RENEW_SESSION,
                    FsError.SESSION_EXPIRED,
                    "session " + Session.name(request.getSession()) + " is unknown or has ended");
        }
        Optional<String> foreign = session.get().refusalTo(principal.user());
        if (foreign.isPresent()) {
            return Reply.refused(Kind.RENEW_SESSION, FsError.PERMISSION_DENIED, foreign.get());
        }
        times.heard(request.getSession(), principal.user(), clock.monotonicNanos());
        return Reply.ok(
                RenewSessionReply.newBuilder().setDurationMillis(durationMillis).build());
    }
}
