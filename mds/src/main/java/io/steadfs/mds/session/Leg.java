package io.steadfs.mds.session;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Internal;
import com.google.protobuf.Message;
import com.google.protobuf.MessageLite;
import io.steadfs.wire.proto.Location;
import io.steadfs.wire.proto.RenameRequest;
import java.util.Optional;

/**
 * One leg of a request. The path walk of a request may go from shard to shard. A leg is the part of the request that
 * one shard was asked to do. The same walk may reach a shard again with another start directory and the same request
 * id. The second visit is another leg with its own reply.
 *
 * @param start directory where this leg begins, or for a rename the walk to the target; 0 = the root, or no walk
 * @param source for a rename, the directory where the walk to the source begins; else 0
 */
public record Leg(long requestId, long start, long source) {
    /** The location field of each type of message that has one. */
    private static final ClassValue<Optional<FieldDescriptor>> LOCATIONS = new ClassValue<>() {
        @Override
        protected Optional<FieldDescriptor> computeValue(Class<?> type) {
            return Optional.ofNullable(Internal.getDefaultInstance(type.asSubclass(Message.class))
                    .getDescriptorForType()
                    .findFieldByName("location"));
        }
    };

    public static Leg of(long requestId, MessageLite request) {
        if (request instanceof RenameRequest rename) {
            return new Leg(
                    requestId, rename.getTarget().getStart(), rename.getSource().getStart());
        }
        return new Leg(requestId, startOf(request), 0);
    }

    /**
     * Finds the start in any message that has a location field. So a new kind of request that walks needs no change
     * here.
     */
    private static long startOf(MessageLite request) {
        if (request instanceof Message message) {
            Optional<FieldDescriptor> location = LOCATIONS.get(message.getClass());
            if (location.isPresent() && message.getField(location.get()) instanceof Location from) {
                return from.getStart();
            }
        }
        return 0;
    }
}
