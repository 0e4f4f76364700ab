package io.steadfs.mds.op;

import io.steadfs.error.FsError;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ReplyHeader;

/**
 * An expected refusal on its way out of a decision; {@link NamespaceOperation} and {@link NamespaceQuery} make it the
 * answer. Never leaves this package, and carries no stack trace: it is ordinary.
 */
final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    private final FsError error;
    private final transient ReplyHeader header;

    /** @param message names the thing and the value */
    Refused(FsError error, String message) {
        this(error, ReplyHeader.newBuilder().setMessage(message).build());
    }

    Refused(FsError error, ReplyHeader header) {
        super(header.getMessage(), null, false, false);
        this.error = error;
        this.header = header;
    }

    FsError error() {
        return error;
    }

    Reply reply(Kind kind) {
        return Reply.refused(kind, error, header.toBuilder());
    }
}
