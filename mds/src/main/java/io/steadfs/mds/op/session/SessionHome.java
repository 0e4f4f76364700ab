package io.steadfs.mds.op.session;

import io.steadfs.error.FsError;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.session.Session;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import java.util.Optional;

/** Guards requests that only a session's home shard may answer. */
final class SessionHome {
    private SessionHome() {}

    /**
     * A refusal with NOT_OWNER if another shard is the session's home; otherwise empty.
     *
     * @param namedHome the home that the request names, as in {@link Session#namedHome}
     */
    static Optional<Reply> refusal(Kind kind, long session, int namedHome, Inputs inputs) {
        return inputs.shards().home(session, namedHome) != inputs.shard()
                ? Optional.of(Reply.refused(
                        kind,
                        FsError.NOT_OWNER,
                        "shard " + inputs.shard() + " is not the home of session " + Session.name(session)))
                : Optional.empty();
    }
}
