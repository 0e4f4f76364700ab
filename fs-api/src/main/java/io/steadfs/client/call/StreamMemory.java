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
 * Limits the memory for the bytes of all open files, whether read or written. All clients of a process with the same
 * setting share one object. The following rules hold:
 *
 * <ol>
 * <li>The memory that is in use never exceeds the limit.
 * <li>Memory is either needed or kept. A request under way needs memory, and so does a read that is copying its bytes.
 * Needed memory comes back when the request or the read ends. A {@link Holder} keeps memory for later: for bytes
 * fetched ahead, for bytes read before, or for an incomplete write request.
 * <li>While a stream waits for memory, no holder keeps memory. This object asks holders to give back memory, the least
 * recently used holder first. While memory is short ({@link #isShort}), a stream gives memory back at once after use.
 * <li>A waiting stream holds no memory itself, except memory that this object can ask back. Needed memory comes back at
 * the latest after the operation timeout, even if servers do not answer. So every wait ends.
 * <li>Waiting streams get memory in the order of their requests. A new request for memory never overtakes a waiting
 * stream.
 * </ol>
 *
 * <p>Thread-safe. This object calls holders and waiting streams on the caller's scheduler, without holding its own
 * lock. So streams may call this object while they hold their own locks.
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
    /** The shared object for each limit in bytes. */
    private static final Map<Long, StreamMemory> OF_PROCESS = new ConcurrentHashMap<>();

    /** Keeps memory that is useful but not needed. */
    public interface Holder {
        /** Gives back the kept memory, now or as soon as possible. */
        void giveBack();
    }

    /** A request that waits for memory. The future completes after the memory was taken for the request. */
    private record Waiter(long bytes, Scheduler scheduler, CompletableFuture<Void> taken) {}

    private final long limit;
    private final Deque<Waiter> waiting = new ArrayDeque<>();
    /** Holders that keep memory, with the least recently used holder first. */
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

    /** The object that all clients of this process with the same setting share. */
    public static StreamMemory ofProcess(Settings settings) {
        return OF_PROCESS.computeIfAbsent(limit(settings), StreamMemory::new);
    }

    /** Makes an object that no other client shares. */
    public static StreamMemory of(Settings settings) {
        return new StreamMemory(limit(settings));
    }

    private static long limit(Settings settings) {
        long asked = settings.get(BYTES);
        return asked > 0 ? asked : PlatformDependent.maxDirectMemory() / 2;
    }

    /** Takes memory if enough is available and no stream waits. Returns false otherwise. */
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
     * Takes memory as soon as enough is available. If the caller cancels the future before the memory was granted, the
     * request is withdrawn. If the wait takes longer than the operation timeout, the future fails with BUSY. If the
     * client closes, the future fails with CANCELLED.
     *
     * @param bytes number of bytes; more than the limit counts as the limit
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

    /** Gives back memory that was taken. */
    public void giveBack(long bytes) {
        Optional<Scheduler> next;
        synchronized (this) {
            used -= bytes;
            next = Optional.ofNullable(waiting.peek()).map(Waiter::scheduler);
        }
        next.ifPresent(this::serve);
    }

    /** Whether a stream waits for memory. While a stream waits, no holder may keep memory. */
    public boolean isShort() {
        return isShort;
    }

    /** Whether more than half of the limit is in use. */
    public synchronized boolean isTight() {
        return used > limit / 2;
    }

    /** Notes that the holder keeps memory, and that the holder has just used this memory. */
    public void keeps(Holder holder) {
        Optional<Scheduler> next;
        synchronized (this) {
            holders.remove(holder);
            holders.add(holder);
            next = Optional.ofNullable(waiting.peek()).map(Waiter::scheduler);
        }
        next.ifPresent(this::serve);
    }

    /** Notes that the holder keeps no memory any more. */
    public synchronized void keepsNothing(Holder holder) {
        holders.remove(holder);
    }

    /** Schedules a task that grants waiting requests and asks holders to give back the missing memory. */
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
            // The scheduler belongs to a closed client, and the waits of that client are over. The next call has
            // another scheduler.
            LOG.debug("the scheduler of a closed client takes no more tasks", e);
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

    /**
     * Grants waiting requests, and then returns the next holder to ask for memory. Empty if no stream waits any more,
     * or no holder is left.
     */
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

    /** Adds the counters of this object by dotted name. The counters cover all clients that share this object. */
    public synchronized void addTo(Map<String, Long> counters) {
        counters.put("client.memory.limit.bytes", limit);
        counters.put("client.memory.used.bytes", used);
        counters.put("client.memory.most.bytes", most);
        counters.put("client.memory.waits", waits);
        counters.put("client.memory.given.back", askedBack);
    }
}
