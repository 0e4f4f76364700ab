package io.steadfs.mds.session;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.RenameRequest;

/**
 * One leg of a request: the part that one shard was asked while the path walk of the request went from shard to shard. The
 * walk may come to the same shard again, starting at another directory, under the same request id. That is another leg, which
 * has its own reply.
 *
 * @param start directory where the shard's part of the walk begins; for a rename, the part of the target; 0 = the root, or a
 *     request without a walk
 * @param source for a rename, the directory where the walk to its source begins; else 0
 */
public record Leg(long requestId, long start, long source) {
    public static Leg of(long requestId, MessageLite request) {
        if (request instanceof RenameRequest rename) {
            return new Leg(
                    requestId, rename.getTarget().getStart(), rename.getSource().getStart());
        }
        return new Leg(requestId, startOf(request), 0);
    }

    /** The start is found by the message's schema. So a new kind of request that walks has legs without a change here. */
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
