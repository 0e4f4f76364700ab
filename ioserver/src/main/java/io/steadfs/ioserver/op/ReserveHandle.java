package io.steadfs.ioserver.op;

import io.steadfs.disk.Space;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.OpenDatafile;
import io.steadfs.ioserver.lane.Batch;
import io.steadfs.ioserver.lane.Counters;
import io.steadfs.ioserver.lane.LaneTask;
import io.steadfs.ioserver.lane.Lanes;
import io.steadfs.ioserver.lane.Waiter;
import io.steadfs.ioserver.lease.LeaseState;
import io.steadfs.ioserver.lease.Leases;
import io.steadfs.rpc.Moment;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.wire.proto.LeaseHandlesReply;
import io.steadfs.wire.proto.ReserveHandleReply;
import io.steadfs.wire.proto.ReserveHandleRequest;
import java.io.IOException;
import java.util.Optional;

/**
 * RESERVE_HANDLE: makes the datafile of a leased handle durably, and may lease more handles at the same time. Source:
 * "File Creation Strategies in a Distributed Metadata File System", section 4.3, fast path. The request may safely be
 * repeated. If the server can lease no more handles, the reservation still succeeds.
 */
public final class ReserveHandle implements IoOperation {
    private final int serverId;
    private final Lanes lanes;
    private final Space space;
    private final Leases leases;
    private final Grants grants;
    private final Counters counters;

    public ReserveHandle(int serverId, Lanes lanes, Space space, Leases leases, Grants grants, Counters counters) {
        this.serverId = serverId;
        this.lanes = lanes;
        this.space = space;
        this.leases = leases;
        this.grants = grants;
        this.counters = counters;
    }

    @Override
    public void handle(Call call) {
        ReserveHandleRequest request = (ReserveHandleRequest) call.request().body();
        Handle datafile = new Handle(request.getDatafile());
        if (datafile.owner() != serverId) {
            IoOperation.refuse(call, FsError.NOT_OWNER, IoOperation.notOwner(datafile, serverId));
            return;
        }
        if (leases.stateOf(datafile) != LeaseState.OPEN) {
            // The lane checks the lease again. A caller that is refused here gets no more handles either.
            IoOperation.refuse(call, FsError.LEASE_REVOKED, notLeased(datafile));
            return;
        }
        boolean wantsMore = request.getMore().getCount() != 0;
        Both both = new Both(call, wantsMore ? 2 : 1);
        lanes.of(datafile).submit(new Task(datafile, both));
        if (wantsMore) {
            grants.grant(request.getMore().toBuilder().setHandlesOnly(true).build(), both);
        }
    }

    private static String notLeased(Handle handle) {
        return "handle " + handle + " is not leased any more";
    }

    /**
     * Answers the call after both parts are done: the datafile exists, and the lease of more handles was granted or
     * refused. Called from several lanes.
     */
    private static final class Both implements Grants.LeaseAnswer {
        private final Call call;
        private final ReserveHandleReply.Builder reply = ReserveHandleReply.newBuilder();
        private int open;

        Both(Call call, int open) {
            this.call = call;
            this.open = open;
        }

        @Override
        public boolean isGivenUp() {
            return call.isCancelled();
        }

        @Override
        public void mark(Moment moment) {
            call.mark(moment);
        }

        @Override
        public synchronized void granted(LeaseHandlesReply lease) {
            reply.setMore(lease);
            reserved();
        }

        @Override
        public void refused(FsError error, String message) {
            reserved();
        }

        synchronized void reserved() {
            open--;
            if (open == 0) {
                call.reply(Reply.ok(reply.build()));
            }
        }

        /** Refuses the call. A lease that is granted after the refusal is known to nobody and ends by itself. */
        synchronized void notReserved(FsError error, String message) {
            open = -1;
            IoOperation.refuse(call, error, message);
        }
    }

    private final class Task implements LaneTask {
        private final Handle handle;
        private final Both both;

        Task(Handle handle, Both both) {
            this.handle = handle;
            this.both = both;
        }

        @Override
        public void mark(Moment moment) {
            both.mark(moment);
        }

        @Override
        public void run(Batch batch) throws IOException {
            if (both.isGivenUp()) {
                refuse(FsError.CANCELLED, "given up before it began");
                return;
            }
            LeaseState lease = leases.stateOf(handle);
            Optional<OpenDatafile> datafile = lease == LeaseState.OPEN ? batch.open(handle) : Optional.empty();
            if (datafile.isEmpty()) {
                refuse(
                        FsError.LEASE_REVOKED,
                        lease == LeaseState.OPEN
                                ? "handle " + handle + " was used, and its datafile removed"
                                : notLeased(handle));
            } else if (!datafile.get().row().isUnattached()) {
                refuse(
                        FsError.ALREADY_ATTACHED,
                        "handle " + handle + " is of metafile "
                                + datafile.get().row().metafile());
            } else if (!space.take(Grants.ROW_BYTES)) {
                refuse(FsError.NO_SPACE, space.refusal("IO server " + serverId, Grants.ROW_BYTES));
            } else {
                batch.reserve(datafile.get());
                counters.count("leases.reserved");
                batch.afterCommit(Waiter.of(both::reserved, this::refuse));
            }
        }

        @Override
        public void refuse(FsError error, String message) {
            both.notReserved(error, message);
        }
    }
}
