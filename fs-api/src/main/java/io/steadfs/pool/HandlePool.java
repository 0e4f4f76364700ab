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
 * Handles of one IO server that are leased to one holder and that no request has named yet. More handles are asked for in the background
 * while there are still some ({@link PoolSize}), one request at a time. A handle that is given out no longer belongs to this pool, unless
 * it is {@link #putBack put back}.
 *
 * <p>The pool counts a lease from before it was asked for, and as shorter than it is. So a holder whose clock runs slower, or that was
 * stopped for a while, still mostly names handles in time. Naming a handle too late is not dangerous: the servers refuse it.
 *
 * <p>Thread-safe. Futures of handles complete on the thread that brings the handles.
 */
public final class HandlePool {
    /** Part of a lease's duration in which its handles are given out. */
    private static final double USED_PART = 0.75;

    /** Pause between a request that failed and the next one. */
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
        /** Completes on any thread. It fails with the error that waiting callers get. */
        CompletableFuture<Granted> ask(int count);
    }

    /**
     * A lease as it was granted.
     *
     * @param lease its first handle, by which it is renewed
     * @param range its handles that may be given out
     */
    public record Granted(Handle lease, HandleRange range, long durationMillis) {
        public Granted(HandleRange range, long durationMillis) {
            this(range.first(), range, durationMillis);
        }

        /** The grant without its first handle, which is used already. Null where that was the only handle. */
        public @Nullable Granted withoutFirst() {
            return range.count() == 1
                    ? null
                    : new Granted(
                            lease,
                            new HandleRange(new Handle(range.first().value() + 1), range.last()),
                            durationMillis);
        }
    }

    /** Handles of one lease that are at hand. */
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

    /** A handle at hand. Empty where there is none. Asks for more in time. */
    public Optional<Handle> take() {
        Optional<Handle> handle;
        synchronized (this) {
            handle = next();
        }
        askIfFew(grantor);
        return handle;
    }

    /** A handle at hand. Empty where there is none. Does not ask for more: see {@link #wanted}. */
    public synchronized Optional<Handle> poll() {
        return next();
    }

    /**
     * How many handles to lease along with another message to the server. 0 where enough are at hand, or a request is under way. A caller
     * that gets another number must report the outcome by {@link #answered}.
     */
    public synchronized int wanted() {
        discardOld();
        if (closed || asking || isPausing() || countAtHand() > length / 2) {
            return 0;
        }
        return begin(clock.monotonicNanos());
    }

    /** A handle, at once or as soon as there is one. Fails like the request for more handles. */
    public CompletableFuture<Handle> await() {
        return await(grantor);
    }

    /** As {@link #await()}, but sends by another grantor if the server has to be asked now. */
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
     * Takes a handle back that no request named. It is given out again if others of its lease are at hand. Otherwise it stays unused until
     * the end of the lease.
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
     * Takes a server's answer to a renewal. A lease that was named in the renewal and is not in the answer has ended.
     *
     * @param asked leases that were named, by their first handles
     * @param renewed of those; their handles may be given out as if they were granted at that time
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

    /** A server refused this handle. No other handle is given out from its lease, nor from leases granted before. */
    public synchronized void drop(Handle refused) {
        parts.removeIf(part -> part.lease.compareTo(refused) <= 0);
    }

    /** Fails all waiting callers, and gives no handle out any more. */
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

    /** Handles at hand. */
    public synchronized long atHand() {
        discardOld();
        return countAtHand();
    }

    private long countAtHand() {
        return parts.stream().mapToLong(Part::count).sum();
    }

    /** First handles of the leases that still have handles at hand. */
    public synchronized Set<Handle> leasesAtHand() {
        discardOld();
        Set<Handle> leases = new HashSet<>();
        parts.forEach(part -> leases.add(part.lease));
        return leases;
    }

    /** Number of handles that the next lease asks for. */
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

    /** A request for more begins. */
    private int begin(long now) {
        asking = true;
        length = Math.max(size.next(taken, now - askedNanos), Math.min(size.most(), waiting.size()));
        taken = 0;
        askedNanos = now;
        return length;
    }

    /**
     * A request for a lease was answered: granted, or failed. If both are null, the lease was granted but has no handles left for the pool.
     *
     * @param sinceNanos when it was asked for
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

    /** Whether the server was asked a moment ago and did not grant. */
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
