package io.steadfs.mds.op.check;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.state.RawPage;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ScanEntriesReply;
import io.steadfs.wire.proto.ScanEntriesRequest;

/** A page of the names in directories of this shard, for a check of the file system. For the superuser. */
public final class ScanEntries extends NamespaceQuery<ScanEntriesRequest> {
    public ScanEntries() {
        super(Kind.SCAN_ENTRIES);
    }

    @Override
    public MessageLite look(ScanEntriesRequest request, Context context) throws Refused {
        Permissions.checkSuperuser(context.principal(), "scan names");
        byte[] after = request.getAfter().toByteArray();
        RawPage page = RawPage.behind(context.view(), ShardTables.DIRENT, after, ScanObjects.limit(request.getLimit()));
        EntryOnRecord entries = new EntryOnRecord(context);
        ScanEntriesReply.Builder reply = ScanEntriesReply.newBuilder()
                .setLast(ByteString.copyFrom(page.last(after)))
                .setMore(page.more())
                .addAllUnreadable(Unread.of(ShardTables.DIRENT, page.gaps()));
        page.rows().forEach(row -> reply.addEntries(entries.of(row.key(), row.value())));
        return reply.build();
    }
}
