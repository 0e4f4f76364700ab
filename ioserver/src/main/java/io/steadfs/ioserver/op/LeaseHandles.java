package io.steadfs.ioserver.op;

import io.steadfs.disk.Space;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.ioserver.datafile.DatafileRows;
import io.steadfs.ioserver.lane.Batch;
import io.steadfs.ioserver.lane.Counters;
import io.steadfs.ioserver.lane.DatafileHandles;
import io.steadfs.ioserver.lane.Lanes;
import io.steadfs.ioserver.lease.LeaseRow;
import io.steadfs.ioserver.lease.LeaseRows;
import io.steadfs.ioserver.lease.Leases;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler.Call;
import io.steadfs.store.WriteView;
import io.steadfs.time.Clock;
import io.steadfs.wire.proto.LeaseHandlesReply;
import io.steadfs.wire.proto.LeaseHandlesRequest;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * LEASE_HANDLES: makes a range of datafiles without bytes and leases them, in one durable batch ("File Creation Strategies
 * in a Distributed Metadata File System", section 3.4: precreation). Nobody knows their handles before the reply, so it does not
 * matter which lane owns them.
 */
public final class LeaseHandles implements Verb {
    /** Of rows for one leased datafile, about. */
    private static final int ROW_BYTES = 128;

    private final int serverId;
    private final Lanes lanes;
    private final DatafileHandles handles;
    private final Space space;
    private final Leases leases;
    private final LeaseLimits limits;
    private final Clock clock;
    private final Counters counters;

    public LeaseHandles(
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

    @Override
    public void handle(Call call) {
        LeaseHandlesRequest request = (LeaseHandlesRequest) call.request().body();
        if (request.getHolder() == 0 || request.getCount() == 0) {
            Verb.refuse(
                    call,
                    FsError.INVALID_ARGUMENT,
                    "lease of " + Integer.toUnsignedString(request.getCount()) + " handles for holder "
                            + request.getHolder());
            return;
        }
        int count = request.getCount() < 0 ? limits.grantMost() : Math.min(request.getCount(), limits.grantMost());
        lanes.ofHolder(request.getHolder()).submit(new HolderTask(call, (long) count * ROW_BYTES) {
            @Override
            void change(Batch batch) {
                grant(batch, this, request, count);
            }
        });
    }

    private void grant(Batch batch, HolderTask task, LeaseHandlesRequest request, int count) {
        long held = leases.unusedOf(request.getHolder());
        if (held + count > limits.holderMost() || leases.unused() + count > limits.most()) {
            task.refuse(
                    FsError.BUSY,
                    "IO server " + serverId + " has leased " + leases.unused() + " handles that are unused, " + held
                            + " of them to this holder: " + count + " more are above its limits of " + limits.most()
                            + " and " + limits.holderMost());
            return;
        }
        long bytes = (long) count * ROW_BYTES;
        if (!space.take(bytes)) {
            task.refuse(FsError.NO_SPACE, space.refusal("IO server " + serverId, bytes));
            return;
        }
        Optional<HandleRange> range = handles.takeRange(count);
        if (range.isEmpty()) {
            task.refuse(FsError.BUSY, "IO server " + serverId + " waits for numbers for new datafiles");
            return;
        }
        long now = clock.wallMillis();
        LeaseRow lease = new LeaseRow(
                range.get(), request.getHolder(), cut(request.getName()), now, now + limits.durationMillis(), false);
        WriteView out = batch.durableRows();
        LeaseRows.put(out, lease);
        for (int i = 0; i < count; i++) {
            DatafileRows.putLeased(out, new Handle(lease.first().value() + i));
        }
        leases.add(lease, limits.durationMillis());
        counters.count("leases.granted");
        counters.add("leases.granted.handles", count);
        task.replyAfterCommit(
                batch,
                Reply.ok(LeaseHandlesReply.newBuilder()
                        .setFirst(lease.first().value())
                        .setCount(count)
                        .setDurationMillis(limits.durationMillis())
                        .build()));
    }

    /** So many characters that their bytes fit. */
    private static String cut(String name) {
        String cut = name.substring(0, Math.min(name.length(), LeaseRow.MOST_NAME_BYTES));
        while (cut.getBytes(StandardCharsets.UTF_8).length > LeaseRow.MOST_NAME_BYTES) {
            cut = cut.substring(0, cut.length() - 1);
        }
        return cut;
    }
}
