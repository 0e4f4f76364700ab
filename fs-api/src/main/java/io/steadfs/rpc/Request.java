package io.steadfs.rpc;

import com.google.protobuf.MessageLite;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RequestHeader;

/**
 * One request as sender and receiver see it.
 *
 * @param header its {@code call} is set by the transport, its {@code kind} agrees with {@link #kind}
 * @param body of the kind's request type
 * @param payload owned by whoever holds the request; sending passes it on
 */
public record Request(Kind kind, RequestHeader header, MessageLite body, Payload payload) {
    public Request {
        if (!kind.requestType().isInstance(body)) {
            throw new IllegalArgumentException(
                    kind + " wants " + kind.requestType().getSimpleName() + ", got "
                            + body.getClass().getSimpleName());
        }
    }
}
