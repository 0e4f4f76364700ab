package io.steadfs.rpc;

import com.google.protobuf.MessageLite;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RequestHeader;

/**
 * One request, in the form that both its sender and its receiver use.
 *
 * @param header header of the request; the transport sets {@code call}, and {@code kind} is the number of {@link #kind}
 * @param body body of the kind's request type
 * @param payload payload of the request; whoever holds the request owns the payload, and sending the request passes it
 *     to the transport
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
