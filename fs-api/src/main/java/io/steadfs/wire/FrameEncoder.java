package io.steadfs.wire;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.steadfs.wire.proto.Hello;
import io.steadfs.wire.proto.ReplyHeader;
import io.steadfs.wire.proto.RequestHeader;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * Encodes frames: writes all of a frame except the payload into one buffer. The connection sends the payload after this
 * buffer, unchanged.
 *
 * <pre>
 *   0        4         5      6          8                12             16                20
 *   +--------+---------+------+----------+----------------+--------------+-----------------+--------+------+---------+
 *   | "STDF" | version | type | reserved | header length  | body length  | payload length  | header | body | payload |
 *   | 4      | 1       | 1    | 2        | 4              | 4            | 4               | n      | n    | n       |
 *   +--------+---------+------+----------+----------------+--------------+-----------------+--------+------+---------+
 *   |&lt;----------------------- prefix, the same in every version ---------------------------&gt;|
 * </pre>
 *
 * Numbers are big-endian. Lengths are unsigned. The version is {@value #VERSION}. The type is a {@link FrameType}. The
 * reserved bytes are 0. Header and body are protobuf. The prefix has this shape in every version. The fields
 * {@code call}, {@code error} and {@code message} of a reply's header are also the same in every version. So a process
 * can tell a peer of another version that their versions differ, and the peer can read that message.
 *
 * <p>The connection decides three fields of a request's header: the number of the call, the kind and the time left. The
 * encoder writes these three fields after the sender's header. In protobuf, the last value of a field counts. So the
 * encoder need not copy the sender's header.
 */
public final class FrameEncoder {
    public static final int MAGIC = 0x53544446;
    public static final int VERSION = 3;
    public static final int PREFIX_LENGTH = 20;

    private FrameEncoder() {}

    /**
     * Encodes a request, except its payload.
     *
     * @param deadlineMillis time left until the deadline, in milliseconds; 0 = no deadline
     */
    public static ByteBuf request(
            ByteBufAllocator allocator,
            Kind kind,
            long call,
            int deadlineMillis,
            RequestHeader header,
            MessageLite body,
            int payloadLength) {
        int headerLength = header.getSerializedSize()
                + CodedOutputStream.computeUInt32Size(RequestHeader.KIND_FIELD_NUMBER, kind.number())
                + CodedOutputStream.computeUInt64Size(RequestHeader.CALL_FIELD_NUMBER, call)
                + CodedOutputStream.computeUInt32Size(RequestHeader.DEADLINE_MILLIS_FIELD_NUMBER, deadlineMillis);
        int bodyLength = body.getSerializedSize();
        ByteBuf frame = begin(allocator, FrameType.REQUEST, headerLength, bodyLength, payloadLength);
        try {
            CodedOutputStream out = protobuf(frame, headerLength + bodyLength);
            header.writeTo(out);
            out.writeUInt32(RequestHeader.KIND_FIELD_NUMBER, kind.number());
            out.writeUInt64(RequestHeader.CALL_FIELD_NUMBER, call);
            out.writeUInt32(RequestHeader.DEADLINE_MILLIS_FIELD_NUMBER, deadlineMillis);
            body.writeTo(out);
            return end(frame, out, headerLength + bodyLength);
        } catch (IOException | RuntimeException | Error e) {
            throw failed(frame, e);
        }
    }

    /** Encodes a reply, except its payload. A reply to call 0 is about the connection as a whole. */
    public static ByteBuf reply(
            ByteBufAllocator allocator, long call, ReplyHeader header, MessageLite body, int payloadLength) {
        int headerLength =
                header.getSerializedSize() + CodedOutputStream.computeUInt64Size(ReplyHeader.CALL_FIELD_NUMBER, call);
        int bodyLength = body.getSerializedSize();
        ByteBuf frame = begin(allocator, FrameType.REPLY, headerLength, bodyLength, payloadLength);
        try {
            CodedOutputStream out = protobuf(frame, headerLength + bodyLength);
            header.writeTo(out);
            out.writeUInt64(ReplyHeader.CALL_FIELD_NUMBER, call);
            body.writeTo(out);
            return end(frame, out, headerLength + bodyLength);
        } catch (IOException | RuntimeException | Error e) {
            throw failed(frame, e);
        }
    }

    /** Encodes a HELLO frame. HELLO tells the peer who the sender is, and which server the sender wants to reach. */
    public static ByteBuf hello(ByteBufAllocator allocator, Hello hello) {
        int headerLength = hello.getSerializedSize();
        ByteBuf frame = begin(allocator, FrameType.HELLO, headerLength, 0, 0);
        try {
            CodedOutputStream out = protobuf(frame, headerLength);
            hello.writeTo(out);
            return end(frame, out, headerLength);
        } catch (IOException | RuntimeException | Error e) {
            throw failed(frame, e);
        }
    }

    /** Encodes a CANCEL frame, by which a client takes a call back. */
    public static ByteBuf cancel(ByteBufAllocator allocator, long call) {
        int headerLength = CodedOutputStream.computeUInt64Size(RequestHeader.CALL_FIELD_NUMBER, call);
        ByteBuf frame = begin(allocator, FrameType.CANCEL, headerLength, 0, 0);
        try {
            CodedOutputStream out = protobuf(frame, headerLength);
            out.writeUInt64(RequestHeader.CALL_FIELD_NUMBER, call);
            return end(frame, out, headerLength);
        } catch (IOException | RuntimeException | Error e) {
            throw failed(frame, e);
        }
    }

    private static ByteBuf begin(
            ByteBufAllocator allocator, FrameType type, int headerLength, int bodyLength, int payloadLength) {
        ByteBuf frame = allocator.ioBuffer(PREFIX_LENGTH + headerLength + bodyLength);
        frame.writeInt(MAGIC).writeByte(VERSION).writeByte(type.code()).writeShort(0);
        frame.writeInt(headerLength).writeInt(bodyLength).writeInt(payloadLength);
        return frame;
    }

    private static CodedOutputStream protobuf(ByteBuf frame, int length) {
        return CodedOutputStream.newInstance(frame.internalNioBuffer(PREFIX_LENGTH, length));
    }

    private static ByteBuf end(ByteBuf frame, CodedOutputStream out, int length) throws IOException {
        out.flush();
        out.checkNoSpaceLeft();
        return frame.writerIndex(PREFIX_LENGTH + length);
    }

    private static RuntimeException failed(ByteBuf frame, Throwable cause) {
        frame.release();
        if (cause instanceof Error error) {
            throw error;
        }
        return cause instanceof IOException io ? new UncheckedIOException(io) : (RuntimeException) cause;
    }
}
