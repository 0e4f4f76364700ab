package io.steadfs.ioserver.op;

import io.steadfs.ioserver.lane.Batch;
import io.steadfs.ioserver.lane.Lanes;
import io.steadfs.ioserver.lease.LeaseRow;
import io.steadfs.ioserver.lease.LeaseRows;
import io.steadfs.ioserver.lease.Leases;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.time.Clock;
import io.steadfs.wire.proto.RenewLeasesReply;
import io.steadfs.wire.proto.RenewLeasesRequest;
import java.util.HashSet;
import java.util.Set;

/** RENEW_LEASES: renews the named leases of a holder. Each lease that is not over lasts a whole duration from now. */
public final class RenewLeases implements IoOperation {
    private final Lanes lanes;
    private final Leases leases;
    private final Clock clock;

    public RenewLeases(Lanes lanes, Leases leases, Clock clock) {
        this.lanes = lanes;
        this.leases = leases;
        this.clock = clock;
    }

    @Override
    public void handle(Call call) {
        RenewLeasesRequest request = (RenewLeasesRequest) call.request().body();
        lanes.ofHolder(request.getHolder()).submit(new HolderTask(call) {
            @Override
            void change(Batch batch) {
                replyAfterCommit(batch, Reply.ok(renew(request, batch)));
            }
        });
    }

    private RenewLeasesReply renew(RenewLeasesRequest request, Batch batch) {
        Set<Long> wanted = new HashSet<>(request.getLeasesList());
        RenewLeasesReply.Builder reply = RenewLeasesReply.newBuilder().setDurationMillis(leases.durationMillis());
        for (LeaseRow lease : leases.of(request.getHolder())) {
            if (!lease.revoking()
                    && !leases.isOver(lease)
                    && wanted.contains(lease.first().value())) {
                LeaseRow renewed = lease.withExpiry(clock.wallMillis() + leases.durationMillis());
                LeaseRows.put(batch.durableRows(), renewed);
                leases.change(renewed, leases.durationMillis());
                reply.addLeases(lease.first().value());
            }
        }
        return reply.build();
    }
}
