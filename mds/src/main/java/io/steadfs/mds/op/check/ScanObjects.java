package io.steadfs.mds.op.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.steadfs.handle.Handle;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.RawPage;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.xattr.Xattrs;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CheckedObject;
import io.steadfs.wire.proto.ScanObjectsReply;
import io.steadfs.wire.proto.ScanObjectsRequest;
import java.util.List;

/** Answers one page of the metafiles and directories of this shard, for a check of the file system. */
public final class ScanObjects extends TableScan<ScanObjectsRequest> {
    public ScanObjects() {
        super(Kind.SCAN_OBJECTS, "scan objects");
    }

    @Override
    ScanPage page(ScanObjectsRequest request, ReadView view) {
        return ScanPage.of(view, ShardTables.INODE, request.getAfter(), request.getLimit());
    }

    @Override
    MessageLite reply(ScanObjectsRequest request, ScanPage page, Context context) {
        ObjectOnRecord objects = new ObjectOnRecord(context);
        Xattrs.Counts xattrs = xattrs(page.rows(), context);
        ScanObjectsReply.Builder reply = ScanObjectsReply.newBuilder()
                .setLast(page.last())
                .setMore(page.more())
                .setNext(ObjectOnRecord.next(context).value())
                .addAllUnreadable(page.unreadable());
        for (RawPage.Row row : page.rows()) {
            reply.addObjects(row.key().length == Long.BYTES ? of(objects, row.key(), xattrs) : unreadable(row.key()));
        }
        return reply.build();
    }

    private static Xattrs.Counts xattrs(List<RawPage.Row> rows, Context context) {
        return rows.isEmpty()
                ? Xattrs.Counts.NONE
                : Xattrs.counts(
                        context.view(),
                        rows.get(0).key(),
                        rows.get(rows.size() - 1).key());
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
