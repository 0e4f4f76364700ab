package io.steadfs.client.call;

import io.netty.util.internal.PlatformDependent;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.time.Scheduler;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The memory that the bytes of all open files may take, files that are read and files that are written. All clients of a process with the
 * same setting share one object. What holds:
 *
 * <ol>
 * <li>No more than the limit is taken at any moment.
 * <li>Memory is taken for one of two uses. Either it is needed, by a request on its way or by a read that is being copied, and comes back
 * when that ends. Or a {@link Holder} keeps it for later: bytes fetched ahead, bytes read before, or a request that is not full yet.
 * <li>While somebody waits, nothing is kept. The holders are asked to give back, the least recently used first. Whoever is done with memory
 * gives it back at once ({@link #isShort}).
 * <li>A waiter holds no memory that needs the waiter to come back. So every wait ends, whether servers answer or not: requests end with the
 * operation timeout.
 * <li>Waiters are served in their order, and nobody passes them by.
 * </ol>
 *
 * <p>Thread-safe. Calls to others are made without its lock, on the caller's scheduler. So it may be called under the locks of streams.
 */
public final class StreamMemory {
    private static final Logger LOG = LoggerFactory.getLogger(StreamMemory.class);

    static final ConfigKey<Long> BYTES = ConfigKey.number(
            "stead.client.memory",
            0,
            0,
            1L << 40,
            "bytes",
            "Most memory for the bytes of all open files of this process together, 1 MiB at least; 0: half of the direct"
                    + " memory that this Java process may use (-XX:MaxDirectMemorySize).");
    public static final List<ConfigKey<?>> KEYS = List.of(BYTES);

    private static final long LEAST_BYTES = 1 << 20;
    /** The shared object of each limit. */
    private static final Map<Long, StreamMemory> OF_PROCESS = new ConcurrentHashMap<>();

    /** Keeps memory that it can do without. */
    public interface Holder {
        /** Gives back the kept memory, now or as soon as possible. */
        void giveBack();
    }

    /** Waits for so many bytes. Its future completes when they are taken for it. */
    private record Waiter(long bytes, Scheduler scheduler, CompletableFuture<Void> taken) {}

    private final long limit;
    private final Deque<Waiter> waiting = new ArrayDeque<>();
    /** The least recently used holder comes first. */
    private final Set<Holder> holders = new LinkedHashSet<>();

    private long used;
    private long most;
    private long waits;
    private long askedBack;
    private boolean asking;
    private volatile boolean isShort;

    StreamMemory(long limit) {
        this.limit = Math.max(LEAST_BYTES, limit);
    }

    /** The object for all clients of this process that have the same setting. */
    public static StreamMemory ofProcess(Settings settings) {
        return OF_PROCESS.computeIfAbsent(limit(settings), StreamMemory::new);
    }

    /** An object that nobody shares. */
    public static StreamMemory of(Settings settings) {
        return new StreamMemory(limit(settings));
    }

    private static long limit(Settings settings) {
        long asked = settings.get(BYTES);
        return asked > 0 ? asked : PlatformDependent.maxDirectMemory() / 2;
    }

    /** Takes so many bytes, if they are available and nobody waits. */
    public synchronized boolean tryTake(long bytes) {
        if (!waiting.isEmpty() || used + bytes > limit) {
            return false;
        }
        take(bytes);
        return true;
    }

    private void take(long bytes) {
        used += bytes;
        most = Math.max(most, used);
    }

    /**
     * Takes so many bytes, at most the limit, as soon as they are available. Cancelling takes the request back, unless it was granted.
     * Fails with BUSY if that takes longer than an operation may, and with CANCELLED when the client closes.
     */
    public CompletableFuture<Void> take(long bytes, Courier courier) {
        CompletableFuture<Void> taken = new CompletableFuture<>();
        Waiter waiter = new Waiter(Math.min(limit, bytes), courier.scheduler(), taken);
        synchronized (this) {
            waits++;
            waiting.add(waiter);
            isShort = true;
        }
        long mostMillis = courier.rule().operationTimeoutMillis();
        Scheduler.Cancellable end =
                courier.pauses().until(mostMillis, () -> taken.completeExceptionally(overdue(courier, mostMillis)));
        var unused = taken.whenComplete((done, failure) -> {
            end.cancel();
            if (failure != null) {
                leave(waiter);
            }
        });
        serve(courier.scheduler());
        return taken;
    }

    private FsException overdue(Courier courier, long mostMillis) {
        return courier.pauses().areOver()
                ? new FsException(FsError.CANCELLED, Courier.CLOSED)
                : new FsException(
                        FsError.BUSY,
                        "no memory within " + mostMillis + " ms: the " + limit
                                + " bytes that open files of this process" + " may take (" + BYTES.name()
                                + ") are all in use");
    }

    private void leave(Waiter waiter) {
        synchronized (this) {
            waiting.remove(waiter);
            isShort = !waiting.isEmpty();
        }
        serve(waiter.scheduler());
    }

    /** Gives back bytes that were taken. */
    public void giveBack(long bytes) {
        Optional<Scheduler> next;
        synchronized (this) {
            used -= bytes;
            next = Optional.ofNullable(waiting.peek()).map(Waiter::scheduler);
        }
        next.ifPresent(this::serve);
    }

    /** Whether somebody waits. If so, nothing may be kept. */
    public boolean isShort() {
        return isShort;
    }

    /** Whether more than half of the limit is taken. */
    public synchronized boolean isTight() {
        return used > limit / 2;
    }

    /** The holder keeps memory, which it has just used. */
    public void keeps(Holder holder) {
        Optional<Scheduler> next;
        synchronized (this) {
            holders.remove(holder);
            holders.add(holder);
            next = Optional.ofNullable(waiting.peek()).map(Waiter::scheduler);
        }
        next.ifPresent(this::serve);
    }

    /** The holder keeps no memory any more. */
    public synchronized void keepsNothing(Holder holder) {
        holders.remove(holder);
    }

    /** Grants requests where possible, and asks holders to give back missing memory. Runs soon, on the scheduler. */
    private void serve(Scheduler scheduler) {
        synchronized (this) {
            if (asking) {
                return;
            }
            asking = true;
        }
        try {
            scheduler.after(0, this::serveNow);
        } catch (RuntimeException e) {
            // The scheduler belongs to a client that is closed, so that client's wait is over. The next call has
            // another scheduler.
            LOG.debug("nobody is served by a scheduler that has ended", e);
            synchronized (this) {
                asking = false;
            }
        }
    }

    private void serveNow() {
        synchronized (this) {
            asking = false;
        }
        for (Optional<Holder> next = grantOrNextHolder(); next.isPresent(); next = grantOrNextHolder()) {
            next.get().giveBack();
        }
    }

    /** The next holder to ask. Empty where nobody waits any more, or no holder is left. */
    private Optional<Holder> grantOrNextHolder() {
        List<Waiter> granted = new ArrayList<>();
        Optional<Holder> asked = Optional.empty();
        synchronized (this) {
            for (Waiter first = waiting.peek();
                    first != null && used + first.bytes() <= limit;
                    first = waiting.peek()) {
                waiting.remove();
                take(first.bytes());
                granted.add(first);
            }
            isShort = !waiting.isEmpty();
            Iterator<Holder> oldest = holders.iterator();
            if (isShort && oldest.hasNext()) {
                asked = Optional.of(oldest.next());
                oldest.remove();
                askedBack++;
            }
        }
        for (Waiter waiter : granted) {
            if (!waiter.taken().complete(null)) {
                giveBack(waiter.bytes());
            }
        }
        return asked;
    }

    public long limit() {
        return limit;
    }

    /** Counters of the whole process, by dotted name. */
    public synchronized void addTo(Map<String, Long> counters) {
        counters.put("client.memory.limit.bytes", limit);
        counters.put("client.memory.used.bytes", used);
        counters.put("client.memory.most.bytes", most);
        counters.put("client.memory.waits", waits);
        counters.put("client.memory.given.back", askedBack);
    }
}
