package io.steadfs.mds.op.check;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.watch.Watches;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.WatchObjectsReply;
import io.steadfs.wire.proto.WatchObjectsRequest;

/**
 * Begins, queries or ends a watch over the names of objects, for a check of the file system. Only the superuser may
 * send this request.
 */
public final class WatchObjects extends NamespaceQuery<WatchObjectsRequest> {
    private final Watches watches;

    public WatchObjects(Watches watches) {
        super(Kind.WATCH_OBJECTS);
        this.watches = watches;
    }

    @Override
    public MessageLite look(WatchObjectsRequest request, Context context) throws Refused {
        Permissions.checkSuperuser(context.principal(), "watch objects");
        if (request.getObjectsCount() > Watches.MOST_OBJECTS) {
            throw new Refused(
                    FsError.TOO_LARGE,
                    request.getObjectsCount() + " objects in one watch, at most " + Watches.MOST_OBJECTS);
        }
        long number = request.getWatch() == 0
                ? watches.begin(
                        request.getObjectsList().stream().map(Handle::new).toList())
                : request.getWatch();
        Watches.Seen seen = watches.seen(number)
                .orElseThrow(() -> new Refused(
                        FsError.NOT_FOUND, "watch " + number + " is over: the shard started anew, or others came"));
        if (request.getEnd()) {
            watches.end(number);
        }
        WatchObjectsReply.Builder reply =
                WatchObjectsReply.newBuilder().setWatch(number).setSettled(seen.settled());
        seen.touched().forEach(each -> reply.addTouched(each.value()));
        return reply.build();
    }
}
