package io.steadfs.mds.pool;

import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import java.util.Optional;

/**
 * A lease of precreated datafiles that the shard has, and the part of it that no file got yet.
 *
 * @param holder the number under which the shard leased it; each process of the shard has another one
 * @param first the first handle, which names the lease
 * @param next the first handle that no file got yet
 * @param last the last handle of the lease, not before {@code next}
 */
public record PooledLease(long holder, Handle first, Handle next, Handle last) {
    /** @throws IllegalArgumentException if the handles are not in this order */
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

    /** The lease without its next handle; empty if that is the last one. */
    public Optional<PooledLease> rest() {
        return next.equals(last)
                ? Optional.empty()
                : Optional.of(new PooledLease(holder, first, new Handle(next.value() + 1), last));
    }
}
