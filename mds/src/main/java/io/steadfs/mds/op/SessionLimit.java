package io.steadfs.mds.op;

import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Asker;
import io.steadfs.mds.pipeline.Checked;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.Precheck;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.mds.session.Sessions;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.OpenSessionRequest;

/** Refuses new sessions while there are too many. Their number is as of the last look for dead ones, so it is a rough one. */
public final class SessionLimit implements Precheck<OpenSessionRequest> {
    private final SessionTimes times;
    private final long most;

    public SessionLimit(SessionTimes times, long most) {
        this.times = times;
        this.most = most;
    }

    @Override
    public boolean isNeeded(OpenSessionRequest request, Asker asker) {
        return times.size() >= most;
    }

    @Override
    public Checked<OpenSessionRequest> check(OpenSessionRequest request, Asker asker, ReadView view, Inputs inputs) {
        return Sessions.find(view, request.getSession()).isPresent()
                ? Checked.allowed()
                : Checked.refused(
                        Reply.refused(Kind.OPEN_SESSION, FsError.BUSY, "there are " + most + " sessions already"));
    }
}
