package io.steadfs.mds.op.list;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Facts;
import io.steadfs.mds.op.ground.Gathering;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.RemoteAttributes;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.LookUpReply;
import io.steadfs.wire.proto.LookUpRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Names of a listing whose objects were gone when their shard was asked. A name that was replaced in between has existed all
 * the time, so the listing must not miss it. Its newest dirent is read, and the object to which that leads is described. This
 * is repeated if the name is replaced again meanwhile.
 */
public final class ReplacedNames {
    /** Most looks. Each look finds the names that were not replaced during its one message. */
    public static final int MOST_LOOKS = 10;

    private final boolean wantLayout;
    private final Context context;

    ReplacedNames(boolean wantLayout, Context context) {
        this.wantLayout = wantLayout;
        this.context = context;
    }

    /**
     * The attributes of the objects to which the names lead now. Names that are gone are left out. So are names that lead to
     * the same object as before, because that object does not exist.
     *
     * @param gone the names, with the object to which each led
     * @throws Refused BUSY if a name was replaced during every look
     * @throws io.steadfs.mds.pipeline.Missing if other shards must still be asked
     */
    Map<DirentKey, Attributes> find(Map<DirentKey, Handle> gone) throws Refused {
        Map<DirentKey, Attributes> found = new HashMap<>();
        Map<DirentKey, Handle> open = gone;
        for (int looks = 0; !open.isEmpty(); looks++) {
            if (looks == MOST_LOOKS) {
                throw new Refused(
                        FsError.BUSY,
                        open.keySet().iterator().next() + " and " + (open.size() - 1) + " more were replaced "
                                + MOST_LOOKS + " times while they were listed; try again");
            }
            Map<DirentKey, Handle> now = lookUp(open);
            Map<Handle, Attributes> attributes = attributes(now);
            open = new LinkedHashMap<>();
            for (Map.Entry<DirentKey, Handle> each : now.entrySet()) {
                Attributes there = attributes.get(each.getValue());
                if (there != null) {
                    found.put(each.getKey(), there);
                } else {
                    open.put(each.getKey(), each.getValue());
                }
            }
        }
        return found;
    }

    private Map<DirentKey, Handle> lookUp(Map<DirentKey, Handle> before) throws Refused {
        List<DirentKey> keys = new ArrayList<>(before.keySet());
        LookUpRequest.Builder request = LookUpRequest.newBuilder();
        before.forEach((key, object) -> request.addNames(LookUpRequest.Name.newBuilder()
                .setDirectory(key.directory().value())
                .setName(key.name())
                .setBefore(object.value())));
        LookUpReply reply = context.body(Facts.lookUp(context.inputs().shard(), request.build()), LookUpReply.class);
        Map<DirentKey, Handle> now = new LinkedHashMap<>();
        for (LookUpReply.Found found : reply.getFoundList()) {
            now.put(keys.get(found.getIndex()), new Handle(found.getObject()));
        }
        return now;
    }

    private Map<Handle, Attributes> attributes(Map<DirentKey, Handle> names) throws Refused {
        RemoteAttributes remote = new RemoteAttributes(wantLayout);
        names.values().forEach(remote::add);
        Gathering gathering = new Gathering(context);
        Map<Handle, Attributes> found = remote.find(gathering);
        gathering.settle();
        return found;
    }
}
