package io.steadfs.ioserver.op;

import io.steadfs.handle.Handle;
import io.steadfs.ioserver.lease.LeaseRow;
import io.steadfs.ioserver.lease.Leases;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.wire.proto.LeaseInfo;
import io.steadfs.wire.proto.ListLeasesReply;
import io.steadfs.wire.proto.ListLeasesRequest;
import java.util.List;

/**
 * LIST_LEASES: returns a page of the leases that have not ended. Each lease comes with the number of its unused
 * handles.
 */
public final class ListLeases implements IoOperation {
    static final int MOST = 1000;

    private final Leases leases;

    public ListLeases(Leases leases) {
        this.leases = leases;
    }

    @Override
    public void handle(Call call) {
        ListLeasesRequest request = (ListLeasesRequest) call.request().body();
        int limit = request.getLimit() <= 0 ? MOST : Math.min(MOST, request.getLimit());
        Handle after = leases.holding(new Handle(request.getAfter()))
                .map(lease -> lease.range().last())
                .orElse(new Handle(request.getAfter()));
        List<LeaseRow> page = leases.after(after, limit + 1);
        ListLeasesReply.Builder reply = ListLeasesReply.newBuilder().setMore(page.size() > limit);
        page.subList(0, Math.min(limit, page.size())).forEach(lease -> reply.addLeases(info(lease)));
        call.reply(Reply.ok(reply.build()));
    }

    private LeaseInfo info(LeaseRow lease) {
        return LeaseInfo.newBuilder()
                .setFirst(lease.first().value())
                .setCount((int) lease.range().count())
                .setHolder(lease.holder())
                .setName(lease.name())
                .setGrantedMillis(lease.grantedMillis())
                .setLeftMillis(leases.leftMillis(lease))
                .setRevoking(lease.revoking())
                .setUnused(leases.unused(lease))
                .setHandlesOnly(!lease.precreated())
                .setOverMillis(leases.overMillis(lease))
                .build();
    }
}
