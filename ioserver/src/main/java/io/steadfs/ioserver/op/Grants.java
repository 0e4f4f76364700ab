package io.steadfs.ioserver.op;

import io.steadfs.disk.Space;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.ioserver.datafile.DatafileRows;
import io.steadfs.ioserver.lane.Batch;
import io.steadfs.ioserver.lane.Counters;
import io.steadfs.ioserver.lane.DatafileHandles;
import io.steadfs.ioserver.lane.LaneTask;
import io.steadfs.ioserver.lane.Lanes;
import io.steadfs.ioserver.lane.Waiter;
import io.steadfs.ioserver.lease.LeaseRow;
import io.steadfs.ioserver.lease.LeaseRows;
import io.steadfs.ioserver.lease.Leases;
import io.steadfs.rpc.Moment;
import io.steadfs.store.WriteView;
import io.steadfs.time.Clock;
import io.steadfs.wire.proto.LeaseHandlesReply;
import io.steadfs.wire.proto.LeaseHandlesRequest;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * Grants leases. A lease is a range of handles. If the datafiles are precreated, the grant also makes the datafiles.
 * One durable batch on the lane of the holder grants the lease. The lanes that own the datafiles need not take part,
 * because nobody knows the handles before the answer.
 */
public final class Grants {
    /** About how many bytes the rows of one precreated datafile take. */
    static final int ROW_BYTES = 128;

    private final int serverId;
    private final Lanes lanes;
    private final DatafileHandles handles;
    private final Space space;
    private final Leases leases;
    private final LeaseLimits limits;
    private final Clock clock;
    private final Counters counters;

    /**
     * Takes the answer to one request for a lease. Exactly one call of {@link #granted} or {@link #refused} follows, on
     * the holder's lane or at once.
     */
    interface LeaseAnswer {
        boolean isGivenUp();

        void mark(Moment moment);

        /** The lease is durable. */
        void granted(LeaseHandlesReply lease);

        void refused(FsError error, String message);
    }

    public Grants(
            int serverId,
            Lanes lanes,
            DatafileHandles handles,
            Space space,
            Leases leases,
            LeaseLimits limits,
            Clock clock,
            Counters counters) {
        this.serverId = serverId;
        this.lanes = lanes;
        this.handles = handles;
        this.space = space;
        this.leases = leases;
        this.limits = limits;
        this.clock = clock;
        this.counters = counters;
    }

    /**
     * Grants a lease. If the caller asks for more handles than one lease may have, the lease gets the greatest number
     * allowed.
     */
    void grant(LeaseHandlesRequest request, LeaseAnswer answer) {
        if (request.getHolder() == 0 || request.getCount() == 0) {
            answer.refused(
                    FsError.INVALID_ARGUMENT,
                    "lease of " + Integer.toUnsignedString(request.getCount()) + " handles for holder "
                            + request.getHolder());
            return;
        }
        lanes.ofHolder(request.getHolder()).submit(new Task(request, answer));
    }

    private final class Task implements LaneTask, Waiter {
        private final LeaseHandlesRequest request;
        private final LeaseAnswer answer;
        private final int count;
        private LeaseHandlesReply reply = LeaseHandlesReply.getDefaultInstance();

        Task(LeaseHandlesRequest request, LeaseAnswer answer) {
            this.request = request;
            this.answer = answer;
            this.count = request.getCount() < 0 ? limits.grantMost() : Math.min(request.getCount(), limits.grantMost());
        }

        @Override
        public long bytes() {
            return request.getHandlesOnly() ? 2 * ROW_BYTES : (long) count * ROW_BYTES;
        }

        @Override
        public void mark(Moment moment) {
            answer.mark(moment);
        }

        @Override
        public void run(Batch batch) {
            if (answer.isGivenUp()) {
                refuse(FsError.CANCELLED, "given up before it began");
                return;
            }
            long held = leases.unusedOf(request.getHolder());
            if (held + count > limits.holderMost() || leases.unused() + count > limits.most()) {
                refuse(
                        FsError.BUSY,
                        "IO server " + serverId + " has leased " + leases.unused() + " handles that are unused, " + held
                                + " of them to this holder: " + count + " more are above its limits of " + limits.most()
                                + " and " + limits.holderMost());
                return;
            }
            if (leases.count() >= limits.leasesMost()) {
                refuse(
                        FsError.BUSY,
                        "IO server " + serverId + " has granted " + leases.count()
                                + " leases that have not ended, as many" + " as it may");
                return;
            }
            if (!space.take(bytes())) {
                refuse(FsError.NO_SPACE, space.refusal("IO server " + serverId, bytes()));
                return;
            }
            Optional<HandleRange> range = handles.takeRange(count);
            if (range.isEmpty()) {
                refuse(FsError.BUSY, "IO server " + serverId + " waits for numbers for new datafiles");
                return;
            }
            grant(batch, range.get());
        }

        private void grant(Batch batch, HandleRange range) {
            long now = clock.wallMillis();
            boolean precreated = !request.getHandlesOnly();
            LeaseRow lease = new LeaseRow(
                    range,
                    request.getHolder(),
                    cut(request.getName()),
                    now,
                    now + limits.durationMillis(),
                    precreated,
                    false);
            WriteView out = batch.durableRows();
            LeaseRows.put(out, lease);
            int made = precreated ? count : request.getReserveFirst() ? 1 : 0;
            for (int i = 0; i < made; i++) {
                DatafileRows.putLeased(out, new Handle(lease.first().value() + i));
            }
            leases.add(lease, limits.durationMillis());
            counters.count("leases.granted");
            counters.add("leases.granted.handles", count);
            reply = LeaseHandlesReply.newBuilder()
                    .setFirst(lease.first().value())
                    .setCount(count)
                    .setDurationMillis(limits.durationMillis())
                    .build();
            batch.afterCommit(this);
        }

        @Override
        public void done() {
            answer.granted(reply);
        }

        @Override
        public void failed(FsError error, String message) {
            refuse(error, message);
        }

        @Override
        public void refuse(FsError error, String message) {
            answer.refused(error, message);
        }
    }

    /** Cuts a name so that its bytes fit into a row. Whole characters are kept. */
    private static String cut(String name) {
        String cut = name.substring(0, Math.min(name.length(), LeaseRow.MOST_NAME_BYTES));
        while (cut.getBytes(StandardCharsets.UTF_8).length > LeaseRow.MOST_NAME_BYTES) {
            cut = cut.substring(0, cut.length() - 1);
        }
        return cut;
    }
}
