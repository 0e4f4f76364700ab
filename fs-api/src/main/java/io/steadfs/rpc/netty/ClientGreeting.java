package io.steadfs.rpc.netty;

import com.google.protobuf.InvalidProtocolBufferException;
import io.netty.buffer.ByteBuf;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.hello.HelloOpener;
import io.steadfs.hello.PeerName;
import io.steadfs.rpc.ReplyReader;
import io.steadfs.wire.FrameDecoder;
import io.steadfs.wire.FrameType;
import io.steadfs.wire.proto.Hello;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Checks who the server is before a client reads replies. Until the server's identity is certain, the client accepts
 * only HELLO and a refusal of the connection.
 */
final class ClientGreeting implements FrameDecoder.Sink {
    private final HelloOpener opener;
    private final ReplyReader replies;
    private final ReplyReader.Receiver receiver;
    private final Done done;
    private @Nullable PeerName answered;

    /** Called when the connection is open, so that requests may be sent. */
    interface Done {
        /** @param proof HELLO to be sent before the first request; empty = none */
        void greeted(PeerName answered, Optional<Hello> proof);
    }

    ClientGreeting(HelloOpener opener, ReplyReader.Receiver receiver, Done done) {
        this.opener = opener;
        this.replies = new ReplyReader(receiver);
        this.receiver = receiver;
        this.done = done;
    }

    /** The server that answered. Empty until the server's identity is certain. */
    Optional<PeerName> answered() {
        return Optional.ofNullable(answered);
    }

    /** Whether the server that answered may be the server that the caller wants. */
    boolean fits(PeerName meant) {
        PeerName there = answered;
        return there != null && there.fits(meant);
    }

    @Override
    public Optional<String> objection(FrameType type, long headerLength, long bodyLength, long payloadLength) {
        boolean mayCome = type == FrameType.REPLY || answered != null;
        return mayCome
                ? Optional.empty()
                : ServerGreeting.objectionToFirst(type, headerLength, bodyLength, payloadLength);
    }

    @Override
    public void frame(
            FrameType type, ByteBuf head, int headerIndex, int headerLength, int bodyLength, ByteBuf payload) {
        if (answered != null || type != FrameType.HELLO) {
            // Before HELLO is answered, nobody waits for a call. Then the only reply that has a meaning is a refusal of
            // the connection.
            replies.frame(type, head, headerIndex, headerLength, bodyLength, payload);
            return;
        }
        payload.release();
        try {
            HelloOpener.Greeted greeted = opener.answered(Hello.parseFrom(head.nioBuffer(headerIndex, headerLength)));
            answered = greeted.answered();
            done.greeted(greeted.answered(), greeted.proof());
        } catch (InvalidProtocolBufferException e) {
            receiver.end(FsError.BAD_MESSAGE, "the answer to HELLO cannot be decoded: " + e.getMessage());
        } catch (FsException e) {
            receiver.end(e.error(), String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void refused(FrameDecoder.Refusal refusal) {
        replies.refused(refusal);
    }

    @Override
    public boolean wantsMore() {
        return replies.wantsMore();
    }
}
