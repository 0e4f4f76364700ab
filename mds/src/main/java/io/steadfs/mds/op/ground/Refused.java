package io.steadfs.mds.op.ground;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ReplyHeader;

/**
 * An expected refusal on its way out of a decision. {@link NamespaceOperation} and {@link NamespaceQuery} turn it into the
 * answer. It never leaves this package. It is ordinary, so it carries no stack trace.
 */
public final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    private final FsError error;
    private final transient ReplyHeader header;

    /** @param message must name the thing and the value */
    public Refused(FsError error, String message) {
        this(error, ReplyHeader.newBuilder().setMessage(message).build());
    }

    public Refused(FsError error, ReplyHeader header) {
        super(header.getMessage(), null, false, false);
        this.error = error;
        this.header = header;
    }

    /** The body of another shard's reply. A refusal of that shard is passed on. */
    public static <T extends MessageLite> T unlessOk(Reply reply, Class<T> type) throws Refused {
        if (!reply.isOk()) {
            throw new Refused(reply.error(), reply.header().getMessage());
        }
        return type.cast(reply.body());
    }

    public FsError error() {
        return error;
    }

    /** The header with the message and the place where the client goes on. */
    public ReplyHeader header() {
        return header;
    }

    public Reply reply(Kind kind) {
        return Reply.refused(kind, error, header.toBuilder());
    }
}
