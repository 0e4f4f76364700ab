package io.steadfs.rpc.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.steadfs.rpc.Request;
import io.steadfs.wire.FrameEncoder;
import io.steadfs.wire.Kind;
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

    static byte[] bytes(ByteBuf buffer) {
        byte[] bytes = new byte[buffer.readableBytes()];
        buffer.readBytes(bytes);
        buffer.release();
        return bytes;
    }

    /** Reads one whole frame and returns its header; EOFException at the end of the stream. */
    static ReplyHeader readReply(DataInputStream in) throws IOException {
        byte[] prefix = new byte[FrameEncoder.PREFIX_LENGTH];
        in.readFully(prefix);
        ByteBuffer fields = ByteBuffer.wrap(prefix);
        if (fields.getInt(0) != FrameEncoder.MAGIC || prefix[4] != FrameEncoder.VERSION || prefix[5] != 2) {
            throw new IOException("not a reply frame");
        }
        byte[] header = new byte[fields.getInt(8)];
        in.readFully(header);
        in.readFully(new byte[fields.getInt(12) + fields.getInt(16)]);
        return ReplyHeader.parseFrom(header);
    }
}
