package io.steadfs.mds.op.layout;

import io.steadfs.handle.HandleRange;
import io.steadfs.mds.fence.Fences;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pool.PoolChanged;
import io.steadfs.mds.pool.PooledLease;
import io.steadfs.mds.pool.PooledLeases;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;

/** Adds a lease that an IO server granted to the pool, unless it is fenced already. Answers whether it was added. */
public final class PoolLease extends InternalCommand<Boolean> {
    private final long holder;
    private final HandleRange range;

    /** @param holder the holder under which the lease was asked for */
    public PoolLease(long holder, HandleRange range) {
        this.holder = holder;
        this.range = range;
    }

    @Override
    public Decision<Boolean> decide(ReadView view, Inputs inputs) {
        if (holder != inputs.holder() || Fences.hold(view, range.first())) {
            return Decision.of(false);
        }
        int server = range.first().owner();
        List<PooledLease> leases = new ArrayList<>(PooledLeases.of(view, server));
        leases.add(PooledLease.of(holder, range));
        return Decision.of(true, new PoolChanged(server, leases, 0));
    }
}
