package io.steadfs.mds.op.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.steadfs.handle.Handle;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.RawPage;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.xattr.Xattrs;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CheckedObject;
import io.steadfs.wire.proto.ScanObjectsReply;
import io.steadfs.wire.proto.ScanObjectsRequest;

/** A page of the metafiles and directories of this shard, for a check of the file system. For the superuser. */
public final class ScanObjects extends NamespaceQuery<ScanObjectsRequest> {
    static final int MOST = 10_000;

    public ScanObjects() {
        super(Kind.SCAN_OBJECTS);
    }

    /** Number of rows of a page, given the number wished for; 0 = as many as possible. */
    static int limit(int wished) {
        return wished <= 0 ? MOST : Math.min(MOST, wished);
    }

    @Override
    public MessageLite look(ScanObjectsRequest request, Context context) throws Refused {
        Permissions.checkSuperuser(context.principal(), "scan objects");
        byte[] after = request.getAfter().toByteArray();
        RawPage page = RawPage.behind(context.view(), ShardTables.INODE, after, limit(request.getLimit()));
        byte[] last = page.last(after);
        ObjectOnRecord objects = new ObjectOnRecord(context);
        Xattrs.Counts xattrs = page.rows().isEmpty()
                ? Xattrs.Counts.NONE
                : Xattrs.counts(context.view(), page.rows().get(0).key(), last);
        ScanObjectsReply.Builder reply = ScanObjectsReply.newBuilder()
                .setLast(ByteString.copyFrom(last))
                .setMore(page.more())
                .setNext(ObjectOnRecord.next(context).value())
                .addAllUnreadable(Unread.of(ShardTables.INODE, page.gaps()));
        for (RawPage.Row row : page.rows()) {
            reply.addObjects(row.key().length == Long.BYTES ? of(objects, row.key(), xattrs) : unreadable(row.key()));
        }
        return reply.build();
    }

    private static CheckedObject of(ObjectOnRecord objects, byte[] key, Xattrs.Counts xattrs) {
        Handle handle = new Handle(Keys.longAt(key, 0));
        CheckedObject.Builder object = objects.of(handle)
                .orElseThrow(() -> new IllegalStateException("object " + handle + " is in a scan, and not there"));
        return object.setXattrsCounted(xattrs.of(handle).orElse(object.getXattrs()))
                .build();
    }

    private static CheckedObject unreadable(byte[] key) {
        return CheckedObject.newBuilder()
                .setUnreadable("a key of " + key.length + " bytes")
                .setKey(ByteString.copyFrom(key))
                .build();
    }
}
