package io.steadfs.mds.pool;

import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import java.util.Optional;

/**
 * A lease of precreated datafiles that the shard has, and those of it that no file got yet.
 *
 * @param holder as which the shard leased it: another one in each process of the shard
 * @param first names the lease
 * @param next the first one that no file got
 * @param last of the lease, not before {@code next}
 */
public record PooledLease(long holder, Handle first, Handle next, Handle last) {
    /** @throws IllegalArgumentException if these are not in this order */
    public PooledLease {
        HandleRange lease = new HandleRange(first, last);
        if (!lease.holds(next)) {
            throw new IllegalArgumentException("handle " + next + " is not in the lease of " + lease);
        }
    }

    public static PooledLease of(long holder, HandleRange range) {
        return new PooledLease(holder, range.first(), range.first(), range.last());
    }

    public long count() {
        return last.value() - next.value() + 1;
    }

    /** Without the next handle; empty where that is the last one. */
    public Optional<PooledLease> rest() {
        return next.equals(last)
                ? Optional.empty()
                : Optional.of(new PooledLease(holder, first, new Handle(next.value() + 1), last));
    }
}
