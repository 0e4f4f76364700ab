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

/** RENEW_LEASES: all leases of a holder that are not being ended last a whole duration from now. */
public final class RenewLeases implements Verb {
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
        long holder = ((RenewLeasesRequest) call.request().body()).getHolder();
        lanes.ofHolder(holder).submit(new HolderTask(call) {
            @Override
            void change(Batch batch) {
                replyAfterCommit(batch, Reply.ok(renew(holder, batch)));
            }
        });
    }

    private RenewLeasesReply renew(long holder, Batch batch) {
        RenewLeasesReply.Builder reply = RenewLeasesReply.newBuilder().setDurationMillis(leases.durationMillis());
        for (LeaseRow lease : leases.of(holder)) {
            if (!lease.revoking()) {
                LeaseRow renewed = lease.withExpiry(clock.wallMillis() + leases.durationMillis());
                LeaseRows.put(batch.durableRows(), renewed);
                leases.put(renewed, leases.durationMillis());
                reply.addLeases(lease.first().value());
            }
        }
        return reply.build();
    }
}
