package io.steadfs.mds.session;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.RenameRequest;

/**
 * One leg of a request: what one shard was asked while the request's walk went from shard to shard. A walk may come to
 * the same shard again, from another directory on, under the same request id; that is another leg, with a reply of its
 * own.
 *
 * @param start directory where the shard's part of the walk begins: of a rename, the target's; 0 = the root, or a
 *     request without a walk
 * @param source of a rename, the directory where the walk to its source begins; else 0
 */
public record Leg(long requestId, long start, long source) {
    public static Leg of(long requestId, MessageLite request) {
        if (request instanceof RenameRequest rename) {
            return new Leg(
                    requestId, rename.getTarget().getStart(), rename.getSource().getStart());
        }
        return new Leg(requestId, startOf(request), 0);
    }

    /** By the message's schema, so that a new kind of request that walks has legs without a word here. */
    private static long startOf(MessageLite request) {
        if (request instanceof Message message) {
            FieldDescriptor location = message.getDescriptorForType().findFieldByName("location");
            if (location != null && message.getField(location) instanceof Location from) {
                return from.getStart();
            }
        }
        return 0;
    }
}
