package io.steadfs.rpc;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import io.steadfs.error.FsError;
import io.steadfs.wire.FrameDecoder;
import io.steadfs.wire.FrameType;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RequestHeader;
import java.util.Optional;

/**
 * Turns the frames that a server receives into requests. Some errors spoil only one request, and later requests can
 * still be read. Other errors spoil the whole stream.
 */
public final class RequestReader implements FrameDecoder.Sink {

    /** Receives the requests. */
    public interface Receiver {
        /** Receives a request. The request's payload then belongs to the receiver. */
        void request(Request request);

        /** The client cancels a call. */
        void cancel(long call);

        /** One request cannot be decoded. Later requests can be decoded. */
        void refuse(long call, FsError error, String message);

        /**
         * The stream of requests cannot be decoded further.
         *
         * @param call number of the call that spoiled the stream; 0 = the number is not known
         */
        void end(long call, FsError error, String message);

        boolean wantsMore();
    }

    private final Receiver receiver;

    public RequestReader(Receiver receiver) {
        this.receiver = receiver;
    }

    @Override
    public void frame(
            FrameType type, ByteBuf head, int headerIndex, int headerLength, int bodyLength, ByteBuf payload) {
        if (type == FrameType.REPLY) {
            payload.release();
            receiver.end(0, FsError.BAD_MESSAGE, "a reply came where requests are expected");
            return;
        }
        RequestHeader header;
        try {
            header = RequestHeader.parseFrom(head.nioBuffer(headerIndex, headerLength));
        } catch (InvalidProtocolBufferException e) {
            payload.release();
            receiver.end(
                    0,
                    FsError.BAD_MESSAGE,
                    "request header of " + headerLength + " bytes cannot be decoded: " + e.getMessage());
            return;
        }
        if (header.getCall() == 0) {
            payload.release();
            receiver.end(0, FsError.BAD_MESSAGE, "a request has call number 0");
        } else if (type == FrameType.CANCEL) {
            payload.release();
            receiver.cancel(header.getCall());
        } else {
            request(header, head, headerIndex + headerLength, bodyLength, payload);
        }
    }

    private void request(RequestHeader header, ByteBuf head, int bodyIndex, int bodyLength, ByteBuf payload) {
        Optional<Kind> kind = Kind.byNumber(header.getKind());
        if (kind.isEmpty()) {
            payload.release();
            receiver.refuse(
                    header.getCall(),
                    FsError.UNKNOWN_KIND,
                    "message kind " + Integer.toUnsignedString(header.getKind()) + " is not known here");
            return;
        }
        MessageLite body;
        try {
            body = kind.get().requestParser().parseFrom(head.nioBuffer(bodyIndex, bodyLength));
        } catch (InvalidProtocolBufferException e) {
            payload.release();
            receiver.refuse(
                    header.getCall(),
                    FsError.BAD_MESSAGE,
                    "body of " + bodyLength + " bytes is no " + kind.get() + " request: " + e.getMessage());
            return;
        }
        receiver.request(new Request(kind.get(), header, body, Payload.of(payload)));
    }

    @Override
    public void refused(FrameDecoder.Refusal refusal) {
        receiver.end(refusal.call(), refusal.error(), refusal.message());
    }

    @Override
    public boolean wantsMore() {
        return receiver.wantsMore();
    }
}
