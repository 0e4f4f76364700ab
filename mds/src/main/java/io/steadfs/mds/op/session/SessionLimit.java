package io.steadfs.mds.op.session;

import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Checked;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Precheck;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.mds.session.Sessions;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.OpenSessionRequest;

/**
 * Refuses a new session if there are too many sessions, in total or of the caller's user. Sessions that are not
 * committed yet are not counted. So the limit may be exceeded by the number of requests that run at the same time.
 * After a start, the duty that looks for dead sessions counts all sessions within one round.
 */
public final class SessionLimit implements Precheck<OpenSessionRequest> {
    private final SessionTimes times;
    private final long most;
    private final long mostOfUser;

    public SessionLimit(SessionTimes times, long most, long mostOfUser) {
        this.times = times;
        this.most = most;
        this.mostOfUser = mostOfUser;
    }

    @Override
    public boolean isNeeded(OpenSessionRequest request, Principal principal) {
        return times.atHome() >= most || times.atHome(principal.user()) >= mostOfUser;
    }

    @Override
    public Checked<OpenSessionRequest> check(
            OpenSessionRequest request, Principal principal, ReadView view, Inputs inputs) {
        return Sessions.find(view, request.getSession()).isPresent()
                ? Checked.allowed()
                : Checked.refused(
                        Reply.refused(Kind.OPEN_SESSION, FsError.BUSY, why(principal.user(), inputs.shard())));
    }

    private String why(String user, int shard) {
        String counted = " sessions, open or ended lately, at shard " + shard + "; at most ";
        return times.atHome(user) >= mostOfUser
                ? "user '" + user + "' has " + times.atHome(user) + counted + mostOfUser + " are allowed ("
                        + SessionTimes.MOST_OF_USER.name() + ")"
                : "there are " + times.atHome() + counted + most + " are allowed (" + SessionTimes.MOST.name() + ")";
    }
}
