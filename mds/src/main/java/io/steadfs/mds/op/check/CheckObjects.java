package io.steadfs.mds.op.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.outbox.Outbox;
import io.steadfs.mds.partition.MetMapEntry;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CheckObjectsReply;
import io.steadfs.wire.proto.CheckObjectsRequest;
import java.io.UncheckedIOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Answers what this shard has stored about the objects and names in the request. A check of the file system sends this
 * request. Only the superuser may send this request.
 */
public final class CheckObjects extends NamespaceQuery<CheckObjectsRequest> {
    private static final Logger LOG = LoggerFactory.getLogger(CheckObjects.class);

    public CheckObjects() {
        super(Kind.CHECK_OBJECTS);
    }

    @Override
    public MessageLite look(CheckObjectsRequest request, Context context) throws Refused {
        Permissions.checkSuperuser(context.principal(), "look up objects");
        int asked = request.getObjectsCount() + request.getEntriesCount();
        if (asked > ScanPage.MOST) {
            throw new Refused(FsError.TOO_LARGE, asked + " objects and names, at most " + ScanPage.MOST);
        }
        ObjectOnRecord objects = new ObjectOnRecord(context);
        CheckObjectsReply.Builder reply = CheckObjectsReply.newBuilder()
                .setNext(ObjectOnRecord.next(context).value());
        for (long value : request.getObjectsList()) {
            Handle handle = new Handle(value);
            objects.of(handle).ifPresent(reply::addObjects);
            boolean isGettingName = !context.owns(handle) && objects.isHeld(handle);
            if (handle.isOwnedByShard()
                    && (isGettingName || Unread.orElse(true, () -> Outbox.holdsUnlinked(context.view(), handle)))) {
                reply.addNoticed(value);
            }
        }
        EntryOnRecord entries = new EntryOnRecord(context);
        MapOnRecord maps = new MapOnRecord(context);
        for (ByteString key : request.getEntriesList()) {
            byte[] bytes = key.toByteArray();
            try {
                if (bytes.length == MetMapEntry.KEY_BYTES) {
                    context.view()
                            .get(ShardTables.MAP, bytes)
                            .flatMap(value -> maps.of(bytes, value))
                            .ifPresent(reply::addEntries);
                } else {
                    context.view()
                            .get(ShardTables.DIRENT, bytes)
                            .ifPresent(value -> reply.addEntries(entries.of(bytes, value)));
                }
            } catch (UncheckedIOException e) {
                // It is unknown whether the name exists. The scan of names reports the unreadable row.
                LOG.debug("the row of a name cannot be read", e);
            }
        }
        return reply.build();
    }
}
