package io.steadfs.mds.op.name;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Facts;
import io.steadfs.mds.op.ground.Gathering;
import io.steadfs.mds.op.ground.Page;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.StatHandlesReply;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * Requires that objects on other shards belong to the caller. One question asks about many objects, which may be in
 * different directories. The answer names the objects of other users. So the answer is empty if all objects belong to
 * the caller. The check keeps 8 bytes in memory for each object.
 */
final class RemoteOwners {
    /** The largest number of objects of one check; the check keeps some 40 MiB in memory for them. */
    static final int MOST = 5_000_000;

    private final Context context;
    private final Gathering gathering;
    private final Map<Integer, Map<Handle, String>> waiting = new TreeMap<>();
    private int met;

    /** @param gathering collects the questions; the caller must settle the gathering after {@link #finish} */
    RemoteOwners(Context context, Gathering gathering) {
        this.context = context;
        this.gathering = gathering;
    }

    /**
     * Requires that the object belongs to the caller.
     *
     * @param directory the directory of the object's name, for the message of a refusal
     * @throws Refused TOO_LARGE above {@link #MOST} objects; PERMISSION_DENIED if this object or an earlier one belongs
     *     to another user
     */
    void require(Handle object, String text, String directory) throws Refused {
        if (met++ == MOST) {
            throw new Refused(
                    FsError.TOO_LARGE,
                    "more than " + MOST + " entries of sticky directories, up to " + directory
                            + ", are on other shards: delete it in parts");
        }
        Map<Handle, String> objects = waiting.computeIfAbsent(object.shard(), shard -> new LinkedHashMap<>());
        objects.put(object, text);
        if (objects.size() == Page.MAX_ENTRIES) {
            ask(object.shard(), objects);
            objects.clear();
        }
    }

    /** Asks about the remaining objects. No object may be added afterwards. */
    void finish() throws Refused {
        for (Map.Entry<Integer, Map<Handle, String>> each : waiting.entrySet()) {
            if (!each.getValue().isEmpty()) {
                ask(each.getKey(), each.getValue());
            }
        }
    }

    private void ask(int shard, Map<Handle, String> objects) throws Refused {
        Optional<Reply> reply = gathering.find(
                Facts.notOwned(shard, objects.keySet(), context.principal().user()));
        if (reply.isEmpty()) {
            return;
        }
        StatHandlesReply others = Refused.unlessOk(reply.get(), StatHandlesReply.class);
        if (others.getAttributesCount() > 0) {
            Handle first = new Handle(others.getAttributes(0).getHandle());
            throw Permissions.stickyDenied(
                    context.principal(), Optional.ofNullable(objects.get(first)).orElse(first.toString()));
        }
    }
}
