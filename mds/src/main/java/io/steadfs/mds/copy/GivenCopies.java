package io.steadfs.mds.copy;

import io.steadfs.handle.Handle;
import io.steadfs.mds.pipeline.CopyRules;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.proto.RecallCopiesRequest;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.LongAdder;

/**
 * The copies that other shards may hold of rows of this shard. A row that is held is about to change: nobody gets a copy
 * of it. Who holds a row waits until each shard that has a copy has given it back, or the copy's term is over.
 *
 * <pre>
 *  row:   free ──note──► given ──hold──► held, recalled ──answers, or terms over──► held, free ──release──► free
 *           └──────────────hold──────────────────────────────────────────────────────────▲
 * </pre>
 *
 * A recall that was not answered is owed, also after the change was given up: the holder stays noted until its term is
 * over or it answers. A shard that begins anew does not know which copies its earlier life gave. It asks every other
 * shard to drop all of them, and holds are not free until each has answered or a term is over. Thread-safe.
 */
public final class GivenCopies {
    /** The most copies that are out. Above, who asks is told to ask again, until terms are over. */
    private static final int MOST = 200_000;

    private static final long AGAIN_MILLIS = 100;

    /** How often, at the bound, all rows are looked at for terms that are over. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Clock clock;
    private final Scheduler scheduler;
    private final long termNanos;
    private final Recaller recaller;

    // All guarded by this.
    private final Map<CopyKey, Given> rows = new HashMap<>();
    private final Set<Held> waiting = new LinkedHashSet<>();
    private int out;
    /** Shards that may have copies of an earlier life of this shard. */
    private final Set<Integer> former = new HashSet<>();

    private long formerEndNanos;
    private long lookedNanos;

    private final LongAdder recalls = new LongAdder();
    private final LongAdder waits = new LongAdder();
    private final LongAdder waitedNanos = new LongAdder();
    private final LongAdder overdue = new LongAdder();

    /** Sends recalls. */
    public interface Recaller {
        /** Whether there are no other shards. */
        boolean isAlone();

        /** Sends the request once. The result, on any thread, is whether the shard has answered it. Never fails. */
        CompletableFuture<Boolean> recall(int holder, RecallCopiesRequest request);
    }

    private static final class Given {
        /** When the copy's term is over, in nanoseconds of the monotonic clock, for each shard that has a copy. */
        private final Map<Integer, Long> ends = new HashMap<>();
        /** Shards whose answer to a recall is awaited now. */
        private final Set<Integer> asked = new HashSet<>();

        private int holds;

        /** Whether nothing must be known of the row. An answer that is awaited must not count for a later copy. */
        boolean isUnused() {
            return holds == 0 && ends.isEmpty() && asked.isEmpty();
        }
    }

    public GivenCopies(Clock clock, Scheduler scheduler, long termMillis, Recaller recaller) {
        this.clock = clock;
        this.scheduler = scheduler;
        this.termNanos = TimeUnit.MILLISECONDS.toNanos(termMillis);
        this.recaller = recaller;
        this.formerEndNanos = clock.monotonicNanos() + termNanos;
        this.lookedNanos = clock.monotonicNanos() - LOOK_NANOS;
    }

    /** Asks the other shards to drop all copies that an earlier life of this shard gave. */
    void beginLife(int owner, int shards) {
        synchronized (this) {
            formerEndNanos = clock.monotonicNanos() + termNanos;
            for (int shard = 0; shard < shards; shard++) {
                if (shard != owner) {
                    former.add(shard);
                }
            }
        }
        RecallCopiesRequest all =
                RecallCopiesRequest.newBuilder().setOwner(owner).setAll(true).build();
        for (int shard = 0; shard < shards; shard++) {
            if (shard != owner) {
                recallFormer(shard, all);
            }
        }
    }

    private void recallFormer(int shard, RecallCopiesRequest all) {
        var unused = recaller.recall(shard, all).thenAccept(answered -> {
            synchronized (this) {
                if (answered) {
                    former.remove(shard);
                } else if (clock.monotonicNanos() - formerEndNanos < 0) {
                    scheduler.after(AGAIN_MILLIS, () -> recallFormer(shard, all));
                }
            }
            runFree();
        });
    }

    private boolean isFormerOver(long now) {
        return former.isEmpty() || now - formerEndNanos >= 0;
    }

    /**
     * Notes that a shard gets a copy of the directory's row, before the row is read. Returns false if the row is about to
     * change, or if too many copies are out.
     */
    public boolean noteRow(Handle directory, int holder) {
        return note(CopyKey.ofRow(directory), holder);
    }

    /** Notes the same for a name that leads to a directory. */
    public boolean noteName(Handle directory, String name, int holder) {
        return note(new CopyKey(directory, name), holder);
    }

    private synchronized boolean note(CopyKey key, int holder) {
        long now = clock.monotonicNanos();
        Given known = rows.get(key);
        if (known != null && (known.holds > 0 || known.asked.contains(holder))) {
            return false;
        }
        boolean isNoted = known != null && known.ends.containsKey(holder);
        if (!isNoted && isFull(now)) {
            return false;
        }
        if (rows.computeIfAbsent(key, unused -> new Given()).ends.put(holder, now + termNanos) == null) {
            out++;
        }
        return true;
    }

    private boolean isFull(long now) {
        if (out >= MOST && now - lookedNanos >= LOOK_NANOS) {
            lookedNanos = now;
            forgetEnded(now);
        }
        return out >= MOST;
    }

    private void forgetEnded(long now) {
        Iterator<Given> all = rows.values().iterator();
        while (all.hasNext()) {
            Given each = all.next();
            forgetEnded(each, now);
            if (each.isUnused()) {
                all.remove();
            }
        }
    }

    private void forgetEnded(Given given, long now) {
        int before = given.ends.size();
        given.ends.values().removeIf(end -> now - end >= 0);
        out -= before - given.ends.size();
    }

    /** How long a change waits for a shard that does not answer, in milliseconds. */
    public long termMillis() {
        return TimeUnit.NANOSECONDS.toMillis(termNanos);
    }

    /** Whether no other shard can have copies. */
    boolean isAlone() {
        return recaller.isAlone();
    }

    /** Holds the rows. */
    CopyRules.Hold hold(int owner, List<CopyKey> keys) {
        if (keys.isEmpty()) {
            return CopyRules.Hold.NONE;
        }
        synchronized (this) {
            for (CopyKey key : keys) {
                rows.computeIfAbsent(key, unused -> new Given()).holds++;
            }
        }
        return new Held(owner, List.copyOf(keys));
    }

    private final class Held implements CopyRules.Hold {
        private final int owner;
        private final List<CopyKey> keys;
        private Runnable then = () -> {};
        private long waitingSinceNanos;

        Held(int owner, List<CopyKey> keys) {
            this.owner = owner;
            this.keys = keys;
        }

        @Override
        public boolean isFree() {
            synchronized (GivenCopies.this) {
                return isFreeNow();
            }
        }

        /** The caller has the lock. */
        private boolean isFreeNow() {
            long now = clock.monotonicNanos();
            boolean isFree = isFormerOver(now);
            for (CopyKey key : keys) {
                Given given = rows.get(key);
                if (given != null) {
                    forgetEnded(given, now);
                    isFree &= given.ends.isEmpty();
                }
            }
            return isFree;
        }

        @Override
        public void whenFree(Runnable action) {
            waits.increment();
            long now = clock.monotonicNanos();
            long last = now;
            Map<Integer, List<CopyKey>> asks = new TreeMap<>();
            synchronized (GivenCopies.this) {
                then = action;
                waitingSinceNanos = now;
                waiting.add(this);
                if (!isFormerOver(now)) {
                    last = formerEndNanos;
                }
                for (CopyKey key : keys) {
                    Given given = rows.get(key);
                    if (given == null) {
                        continue;
                    }
                    for (Map.Entry<Integer, Long> each : given.ends.entrySet()) {
                        last = each.getValue() - last > 0 ? each.getValue() : last;
                        if (given.asked.add(each.getKey())) {
                            asks.computeIfAbsent(each.getKey(), unused -> new ArrayList<>())
                                    .add(key);
                        }
                    }
                }
            }
            asks.forEach((holder, rowsOfHolder) -> recall(owner, holder, rowsOfHolder));
            long leftMillis = TimeUnit.NANOSECONDS.toMillis(last - now) + 1;
            scheduler.after(leftMillis, GivenCopies.this::runFree);
            runFree();
        }

        @Override
        public void release() {
            synchronized (GivenCopies.this) {
                for (CopyKey key : keys) {
                    Given given = rows.get(key);
                    if (given != null) {
                        given.holds--;
                        forgetUnused(key, given);
                    }
                }
            }
        }
    }

    /** Asks a shard to give back its copies, until it answers or no term is left. */
    private void recall(int owner, int holder, List<CopyKey> keys) {
        recalls.increment();
        RecallCopiesRequest.Builder request = RecallCopiesRequest.newBuilder().setOwner(owner);
        keys.forEach(key -> request.addRows(key.toProto()));
        var unused = recaller.recall(holder, request.build()).thenAccept(answered -> {
            if (answered) {
                givenBack(holder, keys);
            } else {
                scheduler.after(AGAIN_MILLIS, () -> recallAgain(owner, holder, keys));
            }
        });
    }

    private void givenBack(int holder, List<CopyKey> keys) {
        synchronized (this) {
            for (CopyKey key : keys) {
                Given given = rows.get(key);
                if (given != null) {
                    boolean wasAsked = given.asked.remove(holder);
                    if (given.ends.remove(holder) != null) {
                        out--;
                    } else if (wasAsked) {
                        overdue.increment();
                    }
                    forgetUnused(key, given);
                }
            }
        }
        runFree();
    }

    /** The caller has the lock. */
    private void forgetUnused(CopyKey key, Given given) {
        if (given.isUnused()) {
            rows.remove(key);
        }
    }

    private void recallAgain(int owner, int holder, List<CopyKey> keys) {
        List<CopyKey> left = new ArrayList<>();
        synchronized (this) {
            long now = clock.monotonicNanos();
            for (CopyKey key : keys) {
                Given given = rows.get(key);
                if (given == null) {
                    continue;
                }
                Long end = given.ends.get(holder);
                if (end != null && now - end < 0) {
                    left.add(key);
                } else {
                    if (given.asked.remove(holder)) {
                        overdue.increment();
                    }
                    forgetUnused(key, given);
                }
            }
        }
        if (!left.isEmpty()) {
            recall(owner, holder, left);
        }
    }

    /** Lets those go on that wait for nothing any more. */
    private void runFree() {
        List<Runnable> free = new ArrayList<>();
        synchronized (this) {
            Iterator<Held> all = waiting.iterator();
            while (all.hasNext()) {
                Held each = all.next();
                if (each.isFreeNow()) {
                    all.remove();
                    waitedNanos.add(clock.monotonicNanos() - each.waitingSinceNanos);
                    free.add(each.then);
                }
            }
        }
        free.forEach(Runnable::run);
    }

    synchronized int out() {
        return out;
    }

    /** Number of rows of which something is known. */
    public synchronized int rows() {
        return rows.size();
    }

    /**
     * What waits now.
     *
     * @param changes that wait for copies to come back
     * @param longestMillis how long the first of them has waited
     * @param awaited how many copies each shard is still to give back for them, by the number of the shard
     */
    record Waiting(int changes, long longestMillis, SortedMap<Integer, Long> awaited) {}

    synchronized Waiting waiting() {
        long now = clock.monotonicNanos();
        long longestNanos = 0;
        SortedMap<Integer, Long> awaited = new TreeMap<>();
        Set<CopyKey> keys = new HashSet<>();
        for (Held each : waiting) {
            longestNanos = Math.max(longestNanos, now - each.waitingSinceNanos);
            keys.addAll(each.keys);
        }
        for (CopyKey key : keys) {
            Given given = rows.get(key);
            if (given != null) {
                given.ends.keySet().forEach(holder -> awaited.merge(holder, 1L, Long::sum));
            }
        }
        if (!waiting.isEmpty() && !isFormerOver(now)) {
            former.forEach(holder -> awaited.merge(holder, 1L, Long::sum));
        }
        return new Waiting(waiting.size(), TimeUnit.NANOSECONDS.toMillis(longestNanos), awaited);
    }

    long recalls() {
        return recalls.sum();
    }

    /** Copies that did not come back before their term was over. */
    long overdue() {
        return overdue.sum();
    }

    /** How long changes have waited in all. */
    long waitedMicros() {
        return TimeUnit.NANOSECONDS.toMicros(waitedNanos.sum());
    }

    long waits() {
        return waits.sum();
    }
}
