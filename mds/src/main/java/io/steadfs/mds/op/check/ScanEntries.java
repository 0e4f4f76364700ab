package io.steadfs.mds.op.check;

import com.google.protobuf.MessageLite;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.ReadView;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ScanEntriesReply;
import io.steadfs.wire.proto.ScanEntriesRequest;

/** Answers one page of the names in directories of this shard, or of its maps, for a check of the file system. */
public final class ScanEntries extends TableScan<ScanEntriesRequest> {
    public ScanEntries() {
        super(Kind.SCAN_ENTRIES, "scan names");
    }

    @Override
    ScanPage page(ScanEntriesRequest request, ReadView view) {
        return ScanPage.of(
                view, request.getMaps() ? ShardTables.MAP : ShardTables.DIRENT, request.getAfter(), request.getLimit());
    }

    @Override
    MessageLite reply(ScanEntriesRequest request, ScanPage page, Context context) {
        EntryOnRecord entries = new EntryOnRecord(context);
        ScanEntriesReply.Builder reply = ScanEntriesReply.newBuilder()
                .setLast(page.last())
                .setMore(page.more())
                .addAllUnreadable(page.unreadable());
        if (request.getMaps()) {
            MapOnRecord maps = new MapOnRecord(context);
            page.rows().forEach(row -> maps.of(row.key(), row.value()).ifPresent(reply::addEntries));
        } else {
            page.rows().forEach(row -> reply.addEntries(entries.of(row.key(), row.value())));
        }
        return reply.build();
    }
}
