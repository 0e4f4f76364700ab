package io.steadfs.rpc.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.FrameEncoder;
import io.steadfs.wire.proto.Hello;
import java.net.InetSocketAddress;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the frames of a client's connection: HELLO, requests and cancels. {@link FlushLater} flushes many frames at
 * once. The writer belongs to the channel's event loop.
 */
// The outcome of a write or close comes as an event of the channel.
@SuppressWarnings("FutureReturnValueIgnored")
final class RequestWriter {
    private static final Logger LOG = LoggerFactory.getLogger(RequestWriter.class);

    private final Channel channel;
    private final FlushLater flusher;

    RequestWriter(Channel channel) {
        this.channel = channel;
        this.flusher = new FlushLater(channel);
    }

    boolean isOpen() {
        return channel.isActive();
    }

    /** Local port of the connection. 0 = not known. */
    int port() {
        return channel.localAddress() instanceof InetSocketAddress address ? address.getPort() : 0;
    }

    /** What was written and the socket has not taken. */
    Unsent unsent() {
        return Unsent.of(channel);
    }

    /** Encodes a HELLO. The caller must write or release the frame. Exceptions of the encoder are passed on. */
    ByteBuf frame(Hello hello) {
        return FrameEncoder.hello(channel.alloc(), hello);
    }

    /** Writes a frame, and flushes it at once. */
    void writeNow(ByteBuf frame) {
        channel.writeAndFlush(frame);
    }

    /** Writes the HELLO that proves who this client is. */
    void proof(Hello proof) {
        channel.write(frame(proof), channel.voidPromise());
        flusher.written();
    }

    /**
     * Encodes a request. The caller must write or release the frame. Exceptions of the encoder are passed on.
     *
     * @param leftMillis time left until the call's deadline, in milliseconds; at least 1
     */
    ByteBuf frame(Request request, long number, long leftMillis) {
        return FrameEncoder.request(
                channel.alloc(),
                request.kind(),
                number,
                (int) Math.min(Integer.MAX_VALUE, leftMillis),
                request.header(),
                request.body(),
                (int) request.payload().length());
    }

    /** Writes a frame and its payload. The writer then owns both. */
    void write(ByteBuf frame, Payload payload) {
        channel.write(frame, channel.voidPromise());
        if (payload instanceof Payload.Region region) {
            channel.write(region.region(), channel.voidPromise());
        } else if (payload instanceof Payload.Bytes bytes && bytes.buffer().isReadable()) {
            channel.write(bytes.buffer(), channel.voidPromise());
        } else {
            payload.release();
        }
        flusher.written();
    }

    /** Tells the server that nobody waits for the call. Does nothing on a closed connection. */
    void cancel(long number, ServerAddress server) {
        if (channel.isActive()) {
            ByteBuf frame;
            try {
                frame = FrameEncoder.cancel(channel.alloc(), number);
            } catch (RuntimeException | Error e) {
                // A cancel only saves the server some work. So the connection stays open, and the callers of other
                // calls get their answers.
                LOG.warn("{}: a call that was given up is not cancelled", server, e);
                return;
            }
            channel.write(frame, channel.voidPromise());
            flusher.written();
        }
    }

    /**
     * Notes that a read of the socket begins. Frames that are written during the read are flushed at the end of the
     * read.
     */
    void readBegins() {
        flusher.readBegins();
    }

    void readEnds() {
        flusher.readEnds();
    }

    void close() {
        channel.close();
    }
}
