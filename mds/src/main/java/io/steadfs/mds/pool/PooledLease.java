package io.steadfs.mds.pool;

import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import java.util.Optional;

/**
 * A lease of precreated datafiles that the shard has. The handles from {@code next} to {@code last} have not been given
 * to a file yet.
 *
 * @param holder the number under which the shard took the lease; each process of the shard has its own number
 * @param first the first handle, which names the lease
 * @param next the first handle that no file has got yet
 * @param last the last handle of the lease, not below {@code next}
 */
public record PooledLease(long holder, Handle first, Handle next, Handle last) {
    /** @throws IllegalArgumentException if {@code next} is not in the range from {@code first} to {@code last} */
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

    /** The lease without its next handle; empty if the next handle is the last one. */
    public Optional<PooledLease> rest() {
        return next.equals(last)
                ? Optional.empty()
                : Optional.of(new PooledLease(holder, first, new Handle(next.value() + 1), last));
    }
}
