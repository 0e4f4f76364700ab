package io.steadfs.ioserver.duty;

import io.steadfs.error.FsError;
import io.steadfs.ioserver.datafile.DatafileRows;
import io.steadfs.ioserver.lane.Batch;
import io.steadfs.ioserver.lane.LaneTask;
import io.steadfs.ioserver.lane.Lanes;
import io.steadfs.ioserver.lane.Waiter;
import io.steadfs.ioserver.lease.LeaseRow;
import io.steadfs.ioserver.lease.LeaseRows;
import io.steadfs.ioserver.lease.Leases;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Changes leases that end. Each change runs on the lane of the lease's holder. */
final class LeaseTasks {
    private final Lanes lanes;
    private final Leases leases;
    private final List<LeaseRow> revoked = Collections.synchronizedList(new ArrayList<>());

    LeaseTasks(Lanes lanes, Leases leases) {
        this.lanes = lanes;
        this.leases = leases;
    }

    /** Makes leases durably REVOKING if they are still over. The method {@link #revoked} returns the changed leases. */
    void revoke(List<LeaseRow> over, Consumer<Boolean> whenDurable) {
        each(over, whenDurable, (lease, batch) -> {
            if (leases.isOver(lease)) {
                LeaseRow row = lease.revoked();
                LeaseRows.put(batch.durableRows(), row);
                leases.change(row, 0);
                revoked.add(row);
            }
        });
    }

    /** The leases that {@link #revoke} changed, in no particular order. */
    List<LeaseRow> revoked() {
        return List.copyOf(revoked);
    }

    /**
     * Forgets the leases at once, before the commit, so that no later task of the same batch renews one of the leases.
     */
    void end(List<LeaseRow> ending, Consumer<Boolean> whenDurable) {
        each(ending, whenDurable, (lease, batch) -> {
            LeaseRows.delete(batch.durableRows(), lease);
            DatafileRows.gone(batch.rows(), lease.range())
                    .forEach(gone -> DatafileRows.forgetGone(batch.durableRows(), gone));
            leases.remove(lease);
        });
    }

    private void each(List<LeaseRow> rows, Consumer<Boolean> whenDurable, BiConsumer<LeaseRow, Batch> change) {
        Countdown open = new Countdown(rows.size(), whenDurable);
        for (LeaseRow lease : rows) {
            submit(lease, open, batch -> {
                change.accept(lease, batch);
                batch.afterCommit(open);
            });
        }
    }

    private void submit(LeaseRow lease, Waiter refused, Consumer<Batch> step) {
        lanes.ofHolder(lease.holder()).submit(new LaneTask() {
            @Override
            public void run(Batch batch) {
                step.accept(batch);
            }

            @Override
            public void refuse(FsError error, String message) {
                refused.failed(error, message);
            }
        });
    }
}
