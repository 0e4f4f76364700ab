package io.steadfs.rpc.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.steadfs.hello.HelloAnswerer;
import io.steadfs.hello.HelloOpener;
import io.steadfs.hello.Introduction;
import io.steadfs.hello.PeerName;
import io.steadfs.rpc.Request;
import io.steadfs.wire.FrameEncoder;
import io.steadfs.wire.FrameType;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Hello;
import io.steadfs.wire.proto.ReplyHeader;
import java.io.DataInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;

/** Frames as byte arrays, to be spoiled and sent over plain sockets. */
final class RawFrames {
    private RawFrames() {}

    static byte[] request(long call, String path) {
        return request(call, path, 0);
    }

    static byte[] request(long call, String path, int deadlineMillis) {
        Request request = Loopback.stat(path);
        return bytes(FrameEncoder.request(
                UnpooledByteBufAllocator.DEFAULT,
                Kind.STAT,
                call,
                deadlineMillis,
                request.header(),
                request.body(),
                0));
    }

    /** What a client says first. */
    static byte[] hello() {
        return bytes(FrameEncoder.hello(
                UnpooledByteBufAllocator.DEFAULT, new HelloOpener(Introduction.client(), PeerName.ANYBODY).first()));
    }

    /** Reads one HELLO. */
    static Hello readHello(DataInputStream in) throws IOException {
        byte[] prefix = new byte[FrameEncoder.PREFIX_LENGTH];
        in.readFully(prefix);
        if (prefix[5] != FrameType.HELLO.code()) {
            throw new IOException("not a HELLO frame");
        }
        byte[] header = new byte[ByteBuffer.wrap(prefix).getInt(8)];
        in.readFully(header);
        return Hello.parseFrom(header);
    }

    /** What a server of the tests answers to a client. */
    static byte[] answerTo(Hello hello) throws IOException {
        Hello answer = new HelloAnswerer(Loopback.WELCOME).hear(hello).reply().orElseThrow();
        return bytes(FrameEncoder.hello(UnpooledByteBufAllocator.DEFAULT, answer));
    }

    static byte[] bytes(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        buffer.release();
        return bytes;
    }

    /** Reads one whole reply, past the answer to HELLO, and returns its header; EOFException at the end of the stream. */
    static ReplyHeader readReply(DataInputStream in) throws IOException {
        byte[] prefix = new byte[FrameEncoder.PREFIX_LENGTH];
        in.readFully(prefix);
        ByteBuffer fields = ByteBuffer.wrap(prefix);
        if (fields.getInt(0) != FrameEncoder.MAGIC || prefix[4] != FrameEncoder.VERSION || prefix[5] == 1) {
            throw new IOException("not a reply frame");
        }
        byte[] header = new byte[fields.getInt(8)];
        in.readFully(header);
        in.readFully(new byte[fields.getInt(12) + fields.getInt(16)]);
        return prefix[5] == FrameType.HELLO.code() ? readReply(in) : ReplyHeader.parseFrom(header);
    }
}
