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

/**
 * Adds a lease to the shard's pool, after an IO server has granted the lease to this shard. A lease is not added if it
 * is fenced. A lease that an earlier process of this shard asked for is not added either. Answers whether the lease was
 * added.
 */
public final class PoolLease extends InternalCommand<Boolean> {
    private final long holder;
    private final HandleRange range;

    /** @param holder the holder id under which the shard asked for the lease */
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
