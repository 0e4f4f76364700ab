package io.steadfs.rpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import io.steadfs.error.FsError;
import io.steadfs.wire.FrameDecoder;
import io.steadfs.wire.FrameType;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ReplyHeader;
import java.util.Optional;

/**
 * A client's view of a stream of frames: turns them into replies. A reply's body type follows from the call that it answers. Replies to
 * calls that nobody waits for any more are dropped.
 */
public final class ReplyReader implements FrameDecoder.Sink {

    /** Where replies go. */
    public interface Receiver {
        /** Kind of the request with this call number. Empty if nobody waits for the call. */
        Optional<Kind> kindOf(long call);

        /** Takes over the reply and its payload. */
        void reply(long call, Reply reply);

        /** The stream cannot be trusted any more, or the server said that it could not trust ours. */
        void end(FsError error, String message);
    }

    private final Receiver receiver;
    private boolean ended;

    public ReplyReader(Receiver receiver) {
        this.receiver = receiver;
    }

    @Override
    public void frame(
            FrameType type, ByteBuf head, int headerIndex, int headerLength, int bodyLength, ByteBuf payload) {
        if (type != FrameType.REPLY) {
            payload.release();
            end(FsError.BAD_MESSAGE, "a frame of type " + type + " came where replies are expected");
            return;
        }
        ReplyHeader header;
        try {
            header = ReplyHeader.parseFrom(head.nioBuffer(headerIndex, headerLength));
        } catch (InvalidProtocolBufferException e) {
            payload.release();
            end(FsError.BAD_MESSAGE, "reply header of " + headerLength + " bytes cannot be decoded: " + e.getMessage());
            return;
        }
        FsError error = FsError.byCode(header.getError()).orElse(FsError.FAULT);
        if (header.getCall() == 0) {
            payload.release();
            end(error, header.getMessage());
            return;
        }
        Optional<Kind> kind = receiver.kindOf(header.getCall());
        if (kind.isEmpty()) {
            payload.release();
            return;
        }
        receiver.reply(
                header.getCall(),
                reply(kind.get(), error, header, head, headerIndex + headerLength, bodyLength, payload));
    }

    private static Reply reply(
            Kind kind,
            FsError error,
            ReplyHeader header,
            ByteBuf head,
            int bodyIndex,
            int bodyLength,
            ByteBuf payload) {
        if (header.getError() != error.code()) {
            payload.release();
            return Reply.refused(
                    kind, error, "error code " + header.getError() + " is not known here: " + header.getMessage());
        }
        if (error != FsError.OK) {
            payload.release();
            return new Reply(error, header, kind.emptyReply(), Payload.EMPTY);
        }
        try {
            MessageLite body = kind.replyParser().parseFrom(head.nioBuffer(bodyIndex, bodyLength));
            return new Reply(error, header, body, Payload.of(payload));
        } catch (InvalidProtocolBufferException e) {
            payload.release();
            return Reply.refused(
                    kind,
                    FsError.BAD_MESSAGE,
                    "body of " + bodyLength + " bytes is no " + kind + " reply: " + e.getMessage());
        }
    }

    @Override
    public void refused(FrameDecoder.Refusal refusal) {
        end(refusal.error(), refusal.message());
    }

    @Override
    public boolean wantsMore() {
        return !ended;
    }

    private void end(FsError error, String message) {
        ended = true;
        receiver.end(error, message);
    }
}
