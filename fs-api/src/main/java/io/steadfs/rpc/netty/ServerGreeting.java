package io.steadfs.rpc.netty;

import com.google.protobuf.InvalidProtocolBufferException;
import io.netty.buffer.ByteBuf;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.hello.HelloAnswerer;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.rpc.RequestReader;
import io.steadfs.wire.FrameDecoder;
import io.steadfs.wire.FrameType;
import io.steadfs.wire.proto.Hello;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Learns who the peer is before a server reads requests. Until the peer has said who it is, the server accepts only
 * HELLO. The server keeps no byte of any other frame, whatever length the frame announces.
 */
final class ServerGreeting implements FrameDecoder.Sink {
    /** Largest number of bytes of a HELLO's header. */
    static final int MOST_HELLO_BYTES = 4096;

    private final HelloAnswerer answerer;
    private final Function<PeerIdentity, Optional<String>> limits;
    private final RequestReader requests;
    private final RequestReader.Receiver receiver;
    private final Consumer<Hello> reply;
    private @Nullable PeerIdentity peerIdentity;
    private int number;

    /**
     * @param limits counts one more connection of the peer; if a limit is reached, returns the reason of the refusal
     * @param reply sends a HELLO to the peer
     */
    ServerGreeting(
            HelloAnswerer answerer,
            Function<PeerIdentity, Optional<String>> limits,
            RequestReader.Receiver receiver,
            Consumer<Hello> reply) {
        this.answerer = answerer;
        this.limits = limits;
        this.requests = new RequestReader(receiver);
        this.receiver = receiver;
        this.reply = reply;
    }

    /** Identity of the peer. Empty until the identity is certain. */
    Optional<PeerIdentity> peerIdentity() {
        return Optional.ofNullable(peerIdentity);
    }

    /** Number that the peer gave its connection in place of a port; 0 = none. */
    int number() {
        return number;
    }

    @Override
    public Optional<String> objection(FrameType type, long headerLength, long bodyLength, long payloadLength) {
        return peerIdentity != null
                ? type == FrameType.HELLO ? Optional.of("a HELLO came after the connection was open") : Optional.empty()
                : objectionToFirst(type, headerLength, bodyLength, payloadLength);
    }

    /** Why a frame must not be the first frame of a connection. Empty if the frame may be the first. */
    static Optional<String> objectionToFirst(FrameType type, long headerLength, long bodyLength, long payloadLength) {
        if (type != FrameType.HELLO) {
            return Optional.of("a connection begins with HELLO, not with a frame of type " + type);
        }
        return headerLength > MOST_HELLO_BYTES || bodyLength != 0 || payloadLength != 0
                ? Optional.of("a HELLO of " + headerLength + ", " + bodyLength + " and " + payloadLength
                        + " bytes is above the limit of " + MOST_HELLO_BYTES + ", 0 and 0")
                : Optional.empty();
    }

    @Override
    public void frame(
            FrameType type, ByteBuf head, int headerIndex, int headerLength, int bodyLength, ByteBuf payload) {
        if (peerIdentity != null) {
            requests.frame(type, head, headerIndex, headerLength, bodyLength, payload);
            return;
        }
        payload.release();
        try {
            Hello hello = Hello.parseFrom(head.nioBuffer(headerIndex, headerLength));
            HelloAnswerer.Heard heard = answerer.hear(hello);
            number = number == 0 ? hello.getNumber() : number;
            Optional<String> refusal = heard.peerIdentity().flatMap(limits);
            if (refusal.isPresent()) {
                receiver.end(0, FsError.BUSY, refusal.get());
                return;
            }
            peerIdentity = heard.peerIdentity().orElse(null);
            heard.reply().ifPresent(reply);
        } catch (InvalidProtocolBufferException e) {
            receiver.end(0, FsError.BAD_MESSAGE, "HELLO cannot be decoded: " + e.getMessage());
        } catch (FsException e) {
            receiver.end(0, e.error(), String.valueOf(e.getMessage()));
        }
    }

    @Override
    public void refused(FrameDecoder.Refusal refusal) {
        requests.refused(refusal);
    }

    @Override
    public boolean wantsMore() {
        return requests.wantsMore();
    }
}
