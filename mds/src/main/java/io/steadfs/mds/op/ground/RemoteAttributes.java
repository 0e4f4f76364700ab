package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.StatHandlesReply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/**
 * Gets the attributes of objects that have names on this shard but are on other shards. Each of the other shards gets
 * one question.
 */
public final class RemoteAttributes {
    private final boolean wantLayout;
    private final SortedMap<Integer, List<Handle>> asked = new TreeMap<>();

    public RemoteAttributes(boolean wantLayout) {
        this.wantLayout = wantLayout;
    }

    /** The attributes of one object; empty if the object no longer exists. */
    public static Optional<Attributes> of(Handle object, boolean wantLayout, Context context) throws Refused {
        return first(
                context.body(Facts.attributes(object.shard(), List.of(object), wantLayout), StatHandlesReply.class));
    }

    /** The owner and permissions of one object; empty if the object no longer exists. */
    static Optional<Attributes> permissions(Handle object, Context context) throws Refused {
        return first(context.body(Facts.permissions(object.shard(), List.of(object)), StatHandlesReply.class));
    }

    private static Optional<Attributes> first(StatHandlesReply reply) {
        return reply.getAttributesCount() == 0 ? Optional.empty() : Optional.of(reply.getAttributes(0));
    }

    public void add(Handle object) {
        asked.computeIfAbsent(object.shard(), shard -> new ArrayList<>()).add(object);
    }

    /** The attributes of all added objects that exist. The result lacks objects whose shard has not answered yet. */
    public Map<Handle, Attributes> find(Gathering gathering) throws Refused {
        Map<Handle, Attributes> found = new HashMap<>();
        for (Map.Entry<Integer, List<Handle>> each : asked.entrySet()) {
            Optional<Reply> reply = gathering.find(Facts.attributes(each.getKey(), each.getValue(), wantLayout));
            if (reply.isPresent()) {
                for (Attributes attributes :
                        Refused.unlessOk(reply.get(), StatHandlesReply.class).getAttributesList()) {
                    found.put(new Handle(attributes.getHandle()), attributes);
                }
            }
        }
        return found;
    }
}
