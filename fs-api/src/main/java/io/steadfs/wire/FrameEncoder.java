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
 * Writes everything of a frame but its payload into one buffer. The payload follows on the connection as it is.
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
 * Numbers are big-endian, lengths unsigned. Version is {@value #VERSION}. Type is a {@link FrameType}. Reserved is 0. Header and body are
 * protobuf. The prefix keeps this shape in every version. So do the fields {@code call}, {@code error} and {@code message} of a reply's
 * header. So a process that receives a version which it does not speak can still tell its peer so, and the peer can read that.
 *
 * <p>The connection decides some fields of a message's header: number of the call, kind, time left. They are written after the sender's
 * header: in protobuf the last value of a field counts, so the header needs no copy.
 */
public final class FrameEncoder {
    public static final int MAGIC = 0x53544446;
    public static final int VERSION = 2;
    public static final int PREFIX_LENGTH = 20;

    private FrameEncoder() {}

    /**
     * A request up to its payload.
     *
     * @param deadlineMillis time left; 0 = no deadline
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

    /** A reply up to its payload. Call 0 means the connection as a whole. */
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

    /** A HELLO: who the sender is, and which server it means. */
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

    /** Takes a call back. */
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
