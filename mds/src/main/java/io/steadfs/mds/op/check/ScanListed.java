package io.steadfs.mds.op.check;

import com.google.protobuf.MessageLite;
import io.steadfs.handle.Handle;
import io.steadfs.mds.datafile.ListedDatafiles;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ScanListedReply;
import io.steadfs.wire.proto.ScanListedRequest;

/**
 * Answers one page of the datafiles that metafiles of this shard list. A check of the file system sends this request.
 * Only the superuser may send this request.
 */
public final class ScanListed extends NamespaceQuery<ScanListedRequest> {
    public ScanListed() {
        super(Kind.SCAN_LISTED);
    }

    @Override
    public MessageLite look(ScanListedRequest request, Context context) throws Refused {
        Permissions.checkSuperuser(context.principal(), "scan the datafiles on record");
        ScanListedReply.Builder reply = ScanListedReply.newBuilder();
        ListedDatafiles.Page page = ListedDatafiles.page(
                context.view(),
                new Handle(request.getAfter() + 1),
                new Handle(request.getLast()),
                ScanPage.limit(request.getLimit()));
        page.rows().forEach(each -> reply.addColumns(ColumnOnRecord.of(context.view(), each)));
        return reply.setMore(page.more())
                .addAllUnreadable(Unread.handles(page.gaps(), new Handle(request.getLast())))
                .build();
    }
}
