package io.steadfs.pool;

import io.steadfs.handle.Handle;
import io.steadfs.handle.HandleRange;
import io.steadfs.time.Clock;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * Keeps handles of one IO server that are leased to one holder and not yet used. The pool asks the server for more
 * handles in the background, with one request at a time. {@link PoolSize} says when and for how many handles. A handle
 * that the pool has given out no longer belongs to the pool. {@link #putBack} returns an unused handle to the pool.
 *
 * <p>The pool counts the duration of a lease from before the request for the lease. It gives out the handles only
 * during a part of that duration. So the holder mostly names handles in time, even if its clock is slow or its process
 * was stopped for a while. If the holder names a handle too late, the servers refuse the handle, and nothing breaks.
 *
 * <p>Thread-safe. A future of a handle completes on the thread that brings the handle to the pool.
 */
public final class HandlePool {
    /** Part of a lease's duration during which the pool gives out the lease's handles. */
    private static final double USED_PART = 0.75;

    /** Pause between a failed request and the next request, in nanoseconds. */
    private static final long PAUSE_NANOS = 500_000_000;

    private final Grantor grantor;
    private final Clock clock;
    private final PoolSize size;

    private final Deque<Part> parts = new ArrayDeque<>();
    private final Deque<CompletableFuture<Handle>> waiting = new ArrayDeque<>();
    private boolean asking;
    private boolean closed;
    private int length;
    private long taken;
    private long askedNanos;
    private @Nullable Throwable lastFailure;
    private @Nullable Throwable whyClosed;
    private long failedNanos;

    /** Asks the IO server for a lease. */
    @FunctionalInterface
    public interface Grantor {
        /**
         * Asks for a lease of so many handles. The future may complete on any thread. If the future fails, all callers
         * that wait for a handle get the same error.
         */
        CompletableFuture<Granted> ask(int count);
    }

    /**
     * A lease that the IO server granted.
     *
     * @param lease first handle of the lease, which identifies the lease in renewals
     * @param range handles of the lease that the pool may give out
     */
    public record Granted(Handle lease, HandleRange range, long durationMillis) {
        public Granted(HandleRange range, long durationMillis) {
            this(range.first(), range, durationMillis);
        }

        /**
         * This grant without its first handle, for a caller that has used the first handle already. Null if the grant
         * has only one handle.
         */
        public @Nullable Granted withoutFirst() {
            return range.count() == 1
                    ? null
                    : new Granted(
                            lease,
                            new HandleRange(new Handle(range.first().value() + 1), range.last()),
                            durationMillis);
        }
    }

    /** Handles of one lease that the pool can still give out. */
    private static final class Part {
        final Handle lease;
        final Handle last;
        long usableUntilNanos;
        Handle next;

        Part(Handle lease, HandleRange range, long usableUntilNanos) {
            this.lease = lease;
            this.next = range.first();
            this.last = range.last();
            this.usableUntilNanos = usableUntilNanos;
        }

        long count() {
            return last.value() - next.value() + 1;
        }
    }

    public HandlePool(Grantor grantor, Clock clock, PoolSize size) {
        this.grantor = grantor;
        this.clock = clock;
        this.size = size;
        this.length = size.least();
        this.askedNanos = clock.monotonicNanos();
    }

    /**
     * Takes a handle from the pool. Empty if the pool has none. If the pool has few handles left, it asks the server
     * for more.
     */
    public Optional<Handle> take() {
        Optional<Handle> handle;
        synchronized (this) {
            handle = next();
        }
        askIfFew(grantor);
        return handle;
    }

    /**
     * Takes a handle from the pool. Empty if the pool has none. Does not ask the server for more handles: the caller
     * does so, with {@link #wanted}.
     */
    public synchronized Optional<Handle> poll() {
        return next();
    }

    /**
     * Number of handles that the caller should lease with its next message to the server. 0 if the pool has enough
     * handles, a request is under way, or the last request failed a moment ago. If the number is not 0, the caller must
     * report the outcome with {@link #answered}.
     */
    public synchronized int wanted() {
        discardOld();
        if (closed || asking || isPausing() || countAtHand() > length / 2) {
            return 0;
        }
        return begin(clock.monotonicNanos());
    }

    /**
     * Takes a handle from the pool, or waits until the server grants one. If the request for more handles fails, the
     * future fails with the same error.
     */
    public CompletableFuture<Handle> await() {
        return await(grantor);
    }

    /** Works like {@link #await()}. If the pool must ask the server now, it asks through the given grantor. */
    public CompletableFuture<Handle> await(Grantor by) {
        CompletableFuture<Handle> handle = new CompletableFuture<>();
        synchronized (this) {
            if (whyClosed != null) {
                return CompletableFuture.failedFuture(whyClosed);
            }
            Optional<Handle> present = next();
            if (present.isPresent()) {
                handle.complete(present.get());
            } else if (isPausing() && lastFailure != null) {
                return CompletableFuture.failedFuture(lastFailure);
            } else {
                waiting.add(handle);
            }
        }
        askIfFew(by);
        return handle;
    }

    /**
     * Returns a handle to the pool after no request named the handle. If a caller waits for a handle, the caller gets
     * this handle. If no caller waits, the pool keeps the handle. But if the pool has no other handle of the same
     * lease, the handle stays unused until the lease ends.
     */
    public void putBack(Handle handle) {
        CompletableFuture<Handle> waiter;
        synchronized (this) {
            if (closed) {
                return;
            }
            waiter = waiting.poll();
            if (waiter == null) {
                parts.stream()
                        .filter(part -> part.lease.compareTo(handle) <= 0 && handle.compareTo(part.last) <= 0)
                        .findFirst()
                        .ifPresent(part -> {
                            HandleRange one = new HandleRange(handle, handle);
                            parts.addFirst(new Part(part.lease, one, part.usableUntilNanos));
                        });
                return;
            }
        }
        give(waiter, handle);
    }

    /**
     * Handles the server's answer to a renewal of leases. If the renewal named a lease and the answer does not, that
     * lease has ended.
     *
     * @param asked leases that the renewal named, by their first handles
     * @param renewed leases that the server renewed, by their first handles
     * @param sinceNanos monotonic time from which the renewed leases count
     * @param durationMillis duration of the renewed leases
     */
    public synchronized void renewed(Set<Handle> asked, Set<Handle> renewed, long sinceNanos, long durationMillis) {
        long until = sinceNanos + usableNanos(durationMillis);
        parts.removeIf(part -> asked.contains(part.lease) && !renewed.contains(part.lease));
        for (Part part : parts) {
            if (renewed.contains(part.lease)) {
                part.usableUntilNanos = until;
            }
        }
    }

    /**
     * Drops handles after a server refused one. The pool gives out no more handles of the refused handle's lease, and
     * none of earlier leases.
     */
    public synchronized void drop(Handle refused) {
        parts.removeIf(part -> part.lease.compareTo(refused) <= 0);
    }

    /** Closes the pool. All callers that wait for a handle get the error. The pool gives out no more handles. */
    public void close(Throwable why) {
        List<CompletableFuture<Handle>> left;
        synchronized (this) {
            closed = true;
            whyClosed = why;
            parts.clear();
            left = new ArrayList<>(waiting);
            waiting.clear();
        }
        left.forEach(each -> each.completeExceptionally(why));
    }

    /** Number of handles that the pool can give out. */
    public synchronized long atHand() {
        discardOld();
        return countAtHand();
    }

    private long countAtHand() {
        return parts.stream().mapToLong(Part::count).sum();
    }

    /** First handles of the leases of which the pool still has handles. */
    public synchronized Set<Handle> leasesAtHand() {
        discardOld();
        Set<Handle> leases = new HashSet<>();
        parts.forEach(part -> leases.add(part.lease));
        return leases;
    }

    /** Number of handles of the last request for a lease. Before the first request, the least size of a lease. */
    synchronized int length() {
        return length;
    }

    private Optional<Handle> next() {
        discardOld();
        Part part = parts.peekFirst();
        if (part == null) {
            return Optional.empty();
        }
        Handle handle = part.next;
        if (part.count() == 1) {
            parts.removeFirst();
        } else {
            part.next = new Handle(handle.value() + 1);
        }
        taken++;
        return Optional.of(handle);
    }

    private void discardOld() {
        long now = clock.monotonicNanos();
        for (Iterator<Part> each = parts.iterator(); each.hasNext(); ) {
            if (each.next().usableUntilNanos - now <= 0) {
                each.remove();
            }
        }
    }

    private void askIfFew(Grantor by) {
        int count;
        long now = clock.monotonicNanos();
        synchronized (this) {
            long atHand = countAtHand() - waiting.size();
            if (closed || asking || isPausing() || atHand >= size.low(length)) {
                return;
            }
            count = begin(now);
        }
        var unused = by.ask(count).whenComplete((granted, failure) -> answered(by, granted, failure, now));
    }

    /** Notes that a request for a lease begins. Returns the number of handles to ask for. */
    private int begin(long now) {
        asking = true;
        length = Math.max(size.next(taken, now - askedNanos), Math.min(size.most(), waiting.size()));
        taken = 0;
        askedNanos = now;
        return length;
    }

    /**
     * Reports the outcome of a request for a lease: a grant, or a failure. If both are null, the server granted the
     * lease, but the lease has no handles left for the pool.
     *
     * @param sinceNanos monotonic time at which the request was made
     */
    public void answered(@Nullable Granted granted, @Nullable Throwable failure, long sinceNanos) {
        answered(grantor, granted, failure, sinceNanos);
    }

    private void answered(Grantor by, @Nullable Granted granted, @Nullable Throwable failure, long sinceNanos) {
        List<Runnable> told = new ArrayList<>();
        boolean more = false;
        synchronized (this) {
            asking = false;
            if (granted != null && !closed) {
                lastFailure = null;
                parts.addLast(
                        new Part(granted.lease(), granted.range(), sinceNanos + usableNanos(granted.durationMillis())));
                while (!waiting.isEmpty()) {
                    Optional<Handle> handle = next();
                    if (handle.isEmpty()) {
                        break;
                    }
                    CompletableFuture<Handle> waiter = waiting.remove();
                    told.add(() -> give(waiter, handle.get()));
                }
                more = !waiting.isEmpty();
            } else if (failure == null) {
                more = !waiting.isEmpty();
            } else {
                lastFailure = failure;
                failedNanos = clock.monotonicNanos();
                List<CompletableFuture<Handle>> failed = new ArrayList<>(waiting);
                waiting.clear();
                failed.forEach(each -> told.add(() -> each.completeExceptionally(failure)));
            }
        }
        told.forEach(Runnable::run);
        if (more) {
            askIfFew(by);
        }
    }

    /** Whether the last request for a lease failed a moment ago. */
    private boolean isPausing() {
        return lastFailure != null && clock.monotonicNanos() - failedNanos < PAUSE_NANOS;
    }

    private void give(CompletableFuture<Handle> waiter, Handle handle) {
        if (!waiter.complete(handle)) {
            putBack(handle);
        }
    }

    private static long usableNanos(long durationMillis) {
        return (long) (durationMillis * 1e6 * USED_PART);
    }
}
