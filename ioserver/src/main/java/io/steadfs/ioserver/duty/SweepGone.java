package io.steadfs.ioserver.duty;

import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileRows;
import io.steadfs.ioserver.lease.LeaseState;
import io.steadfs.ioserver.lease.Leases;
import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import java.io.IOException;
import java.util.List;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Deletes records of removed datafiles whose leases have ended, before the server answers anything. The end of a lease
 * deletes the records of its handles. A removal on another lane may be committed just after the end of the lease, so
 * that its record stays.
 */
public final class SweepGone {
    private static final Logger LOG = LoggerFactory.getLogger(SweepGone.class);

    private final Store store;
    private final Leases leases;

    public SweepGone(Store store, Leases leases) {
        this.store = store;
        this.leases = leases;
    }

    public void run() throws IOException {
        List<Handle> left = DatafileRows.gone(store.committed()).stream()
                .filter(handle -> leases.stateOf(handle) == LeaseState.NONE)
                .toList();
        if (left.isEmpty()) {
            return;
        }
        try (Overlay changes = store.overlay()) {
            left.forEach(handle -> DatafileRows.forgetGone(changes, handle));
            store.commit(changes, false);
        }
        LOG.info("{} removed datafiles of leases that have ended are forgotten", left.size());
    }
}
