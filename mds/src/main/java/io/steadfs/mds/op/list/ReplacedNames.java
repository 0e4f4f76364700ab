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
 * Finds the attributes for names of a listing whose objects no longer exist. A name without an object may have been
 * replaced during the listing. A replaced name existed all the time, so the listing must have the name. This class
 * reads the name's newest dirent and asks for the attributes of the new object. If the name is replaced again, this
 * class looks again.
 */
public final class ReplacedNames {
    /**
     * The largest number of looks at the replaced names of one listing. A look finds every name that is not replaced
     * during the look.
     */
    public static final int MOST_LOOKS = 10;

    private final boolean wantLayout;
    private final Context context;

    ReplacedNames(boolean wantLayout, Context context) {
        this.wantLayout = wantLayout;
        this.context = context;
    }

    /**
     * The attributes of the objects to which the names lead now. Names that no longer exist are left out. A name that
     * still leads to the same object is also left out, because that object does not exist.
     *
     * @param gone the names, each with the object to which it led
     * @throws Refused BUSY if a name was replaced during every look
     * @throws io.steadfs.mds.pipeline.Missing if another shard must still answer
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
            Map<DirentKey, Handle> now = lookUp(open, found);
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

    /** @param links gets the attributes of names that are symbolic links now; the result has the other names */
    private Map<DirentKey, Handle> lookUp(Map<DirentKey, Handle> before, Map<DirentKey, Attributes> links)
            throws Refused {
        List<DirentKey> keys = new ArrayList<>(before.keySet());
        LookUpRequest.Builder request = LookUpRequest.newBuilder();
        before.forEach((key, object) -> request.addNames(LookUpRequest.Name.newBuilder()
                .setDirectory(key.directory().value())
                .setName(key.name())
                .setBefore(object.value())));
        LookUpReply reply = context.body(Facts.lookUp(context.inputs().shard(), request.build()), LookUpReply.class);
        Map<DirentKey, Handle> now = new LinkedHashMap<>();
        for (LookUpReply.Found found : reply.getFoundList()) {
            if (found.hasLink()) {
                links.put(keys.get(found.getIndex()), found.getLink());
            } else {
                now.put(keys.get(found.getIndex()), new Handle(found.getObject()));
            }
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
