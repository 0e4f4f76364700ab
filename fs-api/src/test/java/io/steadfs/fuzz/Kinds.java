package io.steadfs.fuzz;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.MessageLite;
import io.steadfs.wire.Kind;

/** Types of the kinds' messages, as prototypes. */
public final class Kinds {
    private Kinds() {}

    public static MessageLite emptyRequest(Kind kind) {
        try {
            return kind.requestParser().parseFrom(new byte[0]);
        } catch (InvalidProtocolBufferException e) {
            throw new AssertionError(e);
        }
    }
}
