package io.steadfs.mds.op.layout;

import com.google.protobuf.MessageLite;
import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.mds.fence.Fences;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.NamespaceQuery;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.WhereSettled;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.FenceHandlesRequest;
import io.steadfs.wire.proto.ListFencesReply;
import io.steadfs.wire.proto.ListFencesRequest;
import java.util.List;

/**
 * Lists the handles that this shard puts into no file any more. A shard that joins the file system learns them, because it
 * was not asked when the leases of these handles ended.
 *
 * <p>A caller that goes through all pages gets each handle that was fenced before its first page, although fences are
 * added meanwhile. An interval only ever becomes part of an interval whose last handle is the same or a later one, and the
 * pages are in the order of the last handles.
 */
public final class ListFences extends NamespaceQuery<ListFencesRequest> {
    public static final int PAGE = 1000;

    public ListFences() {
        super(Kind.LIST_FENCES);
    }

    @Override
    public MessageLite look(ListFencesRequest request, Context context) throws Refused {
        WhereSettled.check(context);
        List<HandleRange> page = Fences.after(context.view(), new Handle(request.getAfter()), PAGE);
        ListFencesReply.Builder reply = ListFencesReply.newBuilder().setMore(page.size() == PAGE);
        page.forEach(range -> reply.addRanges(FenceHandlesRequest.Range.newBuilder()
                .setFirst(range.first().value())
                .setLast(range.last().value())));
        return reply.build();
    }
}
