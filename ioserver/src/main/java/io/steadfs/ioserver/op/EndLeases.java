package io.steadfs.ioserver.op;

import io.steadfs.handle.Handle;
import io.steadfs.ioserver.lane.Batch;
import io.steadfs.ioserver.lane.Lanes;
import io.steadfs.ioserver.lease.LeaseRow;
import io.steadfs.ioserver.lease.LeaseRows;
import io.steadfs.ioserver.lease.Leases;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.time.Clock;
import io.steadfs.wire.proto.EndLeasesReply;
import io.steadfs.wire.proto.EndLeasesRequest;

/**
 * END_LEASES: declares leases of a holder to be over. The holder no longer needs the leases, or an administrator takes
 * them back. The server need not trust the caller. As at any other end of a lease, the server asks the shards which
 * handles files have.
 */
public final class EndLeases implements IoOperation {
    private final Lanes lanes;
    private final Leases leases;
    private final Clock clock;

    public EndLeases(Lanes lanes, Leases leases, Clock clock) {
        this.lanes = lanes;
        this.leases = leases;
        this.clock = clock;
    }

    @Override
    public void handle(Call call) {
        EndLeasesRequest request = (EndLeasesRequest) call.request().body();
        lanes.ofHolder(request.getHolder()).submit(new HolderTask(call) {
            @Override
            void change(Batch batch) {
                replyAfterCommit(batch, Reply.ok(end(request, batch)));
            }
        });
    }

    private EndLeasesReply end(EndLeasesRequest request, Batch batch) {
        Handle only = new Handle(request.getLease());
        int ended = 0;
        for (LeaseRow lease : leases.of(request.getHolder())) {
            if (!lease.revoking() && (only.isNone() || lease.first().equals(only))) {
                LeaseRow over = lease.withExpiry(Math.min(lease.expiryMillis(), clock.wallMillis()));
                LeaseRows.put(batch.durableRows(), over);
                leases.change(over, 0);
                ended++;
            }
        }
        return EndLeasesReply.newBuilder().setEnded(ended).build();
    }
}
