package io.steadfs.mds.pool;

import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.WriteView;
import java.util.List;

/**
 * Records which leases of an IO server the shard has from now on.
 *
 * @param wanted number of handles that files needed, including those that the pool did not have
 */
public record PoolChanged(int server, List<PooledLease> leases, int wanted) implements LogRecord {
    public PoolChanged {
        leases = List.copyOf(leases);
    }

    @Override
    public void replay(WriteView view) {
        if (leases.isEmpty()) {
            view.delete(ShardTables.POOL, Keys.of(server));
        } else {
            view.put(ShardTables.POOL, Keys.of(server), PooledLeases.encode(leases));
        }
    }
}
