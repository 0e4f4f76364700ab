package io.steadfs.mds.call;

import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Missing;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.session.Session;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.SessionStatusReply;
import io.steadfs.wire.proto.SessionStatusRequest;
import java.util.Optional;

/** Finds sessions that have no row at this shard. The home shard of a session says whether the session is alive. */
final class GuestSessions {
    private GuestSessions() {}

    /**
     * Either a session with its new row, or the reason why the shard does not serve the session.
     *
     * @param row row of the session; empty if there is a refusal
     * @param message message of the refusal
     */
    record Found(Optional<Session> row, Optional<FsError> refusal, String message) {
        Session session() {
            return row.orElseThrow(() -> new IllegalStateException(message));
        }

        private static Found refused(FsError error, String message) {
            return new Found(Optional.empty(), Optional.of(error), message);
        }
    }

    /**
     * @param namedHome the home that the request names, as in {@link Session#namedHome}
     * @throws Missing if the home shard was not asked yet
     */
    static Found find(long session, int namedHome, Inputs inputs) {
        int home = inputs.shards().home(session, namedHome);
        String name = "session " + Session.name(session);
        if (home == inputs.shard()) {
            return Found.refused(FsError.SESSION_EXPIRED, "unknown " + name);
        }
        Reply reply = inputs.peerAnswers()
                .get(new Need.Ask(
                        home,
                        Kind.SESSION_STATUS,
                        SessionStatusRequest.newBuilder()
                                .addSessions(session)
                                .setHome(namedHome)
                                .build()));
        if (!reply.isOk()) {
            return Found.refused(
                    FsError.BUSY,
                    "home shard " + home + " of " + name + " could not tell whether it is alive: " + reply.error()
                            + ": " + reply.header().getMessage());
        }
        Optional<SessionStatusReply.Status> status = status(reply, session);
        if (status.isEmpty()) {
            return Found.refused(FsError.FAULT, "home shard " + home + " did not answer about " + name);
        }
        if (!status.get().getAlive()) {
            return Found.refused(FsError.SESSION_EXPIRED, name + " is unknown or ended at its home shard " + home);
        }
        return new Found(
                Optional.of(new Session(
                        session,
                        status.get().getClient(),
                        status.get().getUser(),
                        1,
                        inputs.wallMillis(),
                        false,
                        namedHome)),
                Optional.empty(),
                "");
    }

    private static Optional<SessionStatusReply.Status> status(Reply reply, long session) {
        if (!(reply.body() instanceof SessionStatusReply answered)) {
            return Optional.empty();
        }
        return answered.getSessionsList().stream()
                .filter(each -> each.getSession() == session)
                .findFirst();
    }
}
