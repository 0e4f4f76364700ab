package io.steadfs.mds.op.layout;

import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pool.PoolChanged;
import io.steadfs.mds.pool.PooledLease;
import io.steadfs.mds.pool.PooledLeases;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Predicate;

/**
 * Removes leases of an IO server from the shard's pool. After the removal, no file gets a handle of the removed leases.
 * Answers 1 if the pool changed, and 0 otherwise.
 */
public final class DropLeases extends InternalCommand<Integer> {
    private final int server;
    private final Set<Handle> firsts;

    /** @param firsts the first handle of each lease to remove */
    public DropLeases(int server, Set<Handle> firsts) {
        this.server = server;
        this.firsts = Set.copyOf(firsts);
    }

    @Override
    public Decision<Integer> decide(ReadView view, Inputs inputs) {
        List<PooledLease> leases = PooledLeases.of(view, server);
        List<LogRecord> records = without(server, leases, lease -> firsts.contains(lease.first()));
        return new Decision<>(records, records.size());
    }

    /** Records that remove from the pool every lease with an unused handle in a fenced range. */
    static List<LogRecord> fenced(ReadView view, List<HandleRange> ranges) {
        List<LogRecord> records = new ArrayList<>();
        ranges.stream().map(range -> range.first().owner()).distinct().forEach(server -> {
            records.addAll(without(
                    server,
                    PooledLeases.of(view, server),
                    lease -> ranges.stream()
                            .anyMatch(range -> lease.next().compareTo(range.last()) <= 0
                                    && range.first().compareTo(lease.last()) <= 0)));
        });
        return records;
    }

    private static List<LogRecord> without(int server, List<PooledLease> leases, Predicate<PooledLease> dropped) {
        List<PooledLease> kept = leases.stream().filter(dropped.negate()).toList();
        return kept.size() == leases.size() ? List.of() : List.of(new PoolChanged(server, kept, 0));
    }
}
