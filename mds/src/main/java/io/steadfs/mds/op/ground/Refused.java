package io.steadfs.mds.op.ground;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ReplyHeader;

/**
 * Carries an expected refusal out of the steps of a decision or query. {@link NamespaceOperation} and
 * {@link NamespaceQuery} turn the refusal into the reply. A refusal is not a fault of the program, so this exception
 * has no stack trace.
 */
public final class Refused extends Exception {
    private static final long serialVersionUID = 1L;

    private final FsError error;
    private final transient ReplyHeader header;

    /** @param message the reason for the refusal; must name the object and the value */
    public Refused(FsError error, String message) {
        this(error, ReplyHeader.newBuilder().setMessage(message).build());
    }

    public Refused(FsError error, ReplyHeader header) {
        super(header.getMessage(), null, false, false);
        this.error = error;
        this.header = header;
    }

    /**
     * The body of another shard's reply.
     *
     * @throws Refused if the other shard refused, with the same error and message
     */
    public static <T extends MessageLite> T unlessOk(Reply reply, Class<T> type) throws Refused {
        if (!reply.isOk()) {
            throw new Refused(reply.error(), reply.header().getMessage());
        }
        return type.cast(reply.body());
    }

    public FsError error() {
        return error;
    }

    /**
     * The header of the reply, with the message. For CONTINUE, the header also has the place where the client must
     * continue.
     */
    public ReplyHeader header() {
        return header;
    }

    public Reply reply(Kind kind) {
        return Reply.refused(kind, error, header.toBuilder());
    }
}
