package io.steadfs.mds.op.session;

import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.Sessions;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CloseSessionReply;
import io.steadfs.wire.proto.CloseSessionRequest;
import java.util.List;
import java.util.Optional;

/**
 * Ends a session on this shard. The shard may be the session's home or a shard where the session is a guest. A client
 * closes its session on every shard that it used. If this shard has no row of the session, there is nothing to end.
 * This request takes the first step of ending the session, and the reaper takes the remaining steps.
 */
public final class CloseSession implements Operation<CloseSessionRequest> {
    @Override
    public Decision<Reply> decide(CloseSessionRequest request, Principal principal, ReadView view, Inputs inputs) {
        Optional<Session> session = Sessions.find(view, request.getSession());
        Optional<String> foreign = session.flatMap(present -> present.refusalTo(principal.user()));
        if (foreign.isPresent()) {
            return Decision.of(Reply.refused(Kind.CLOSE_SESSION, FsError.PERMISSION_DENIED, foreign.get()));
        }
        return new Decision<>(
                session.map(present -> SessionEnd.step(view, present).records()).orElse(List.of()),
                Reply.ok(CloseSessionReply.getDefaultInstance()));
    }
}
