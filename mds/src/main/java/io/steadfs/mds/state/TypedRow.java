package io.steadfs.mds.state;

import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import com.google.protobuf.Parser;
import java.io.IOException;
import java.io.UncheckedIOException;

/**
 * A value whose first byte says which message follows. Tables that hold several kinds of rows use typed rows:
 *
 * <pre>
 * +--------+----------------------------+
 * | type 1 | protobuf message           |
 * +--------+----------------------------+
 * </pre>
 */
public final class TypedRow {
    private TypedRow() {}

    public static byte[] encode(byte type, MessageLite message) {
        byte[] value = new byte[1 + message.getSerializedSize()];
        value[0] = type;
        CodedOutputStream out = CodedOutputStream.newInstance(value, 1, value.length - 1);
        try {
            message.writeTo(out);
        } catch (IOException e) {
            throw new UncheckedIOException("a message is longer than the size that it computed", e);
        }
        out.checkNoSpaceLeft();
        return value;
    }

    public static boolean is(byte type, byte[] value) {
        return value.length > 0 && value[0] == type;
    }

    public static <T extends MessageLite> T decode(Parser<T> parser, byte[] value)
            throws InvalidProtocolBufferException {
        return parser.parseFrom(value, 1, value.length - 1);
    }
}
