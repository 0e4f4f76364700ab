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
 * Turns the frames that a client receives into replies. The number of the call says which kind of request a reply
 * answers, and so which type its body has. If nobody waits for the call any more, the reply is dropped.
 */
public final class ReplyReader implements FrameDecoder.Sink {

    /** Receives the replies. */
    public interface Receiver {
        /** Kind of the request that has this call number. Empty if nobody waits for the call any more. */
        Optional<Kind> kindOf(long call);

        /** Receives a reply. The reply's payload then belongs to the receiver. */
        void reply(long call, Reply reply);

        /**
         * Receives the reason why the connection ends. Either the client cannot decode the server's frames, or the
         * server refused the connection.
         */
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
