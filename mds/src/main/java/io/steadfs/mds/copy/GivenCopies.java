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
import java.util.concurrent.atomic.AtomicInteger;
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
 * over or it answers. A shard that leaves a recall unanswered for a short term gets copies for short terms only, until it
 * answers one: else each change of what it reads would wait for a full term. A shard that begins anew does not know which
 * copies its earlier life gave. It asks every other shard to drop all of them, and holds are not free until each has
 * answered or a term is over.
 *
 * <p>Clocks of two machines do not run at one rate. So this shard waits a little longer than a copy is good ({@link
 * #waitNanos}). Thread-safe.
 */
public final class GivenCopies {
    /** The most copies that are out. Above, who asks is told to ask again, until terms are over. */
    private static final int MOST = 200_000;

    /** From so many on, terms are short, so that those who ask for much do not keep others out. */
    private static final int MANY = MOST / 2;

    /** A short term is this part of a term, but not shorter than {@value #LEAST_MILLIS} ms. */
    private static final int SHORT = 16;

    private static final long LEAST_MILLIS = 100;

    /** The rates of two clocks differ by less than this part, and their readings by less than a millisecond. */
    private static final int RATE = 1_000;

    private static final long AGAIN_MILLIS = 100;

    /** How often a shard is asked that owes an answer although its terms are over. */
    private static final long OWED_AGAIN_MILLIS = 1_000;

    /** How often, while many copies are out, all rows are looked at for terms that are over. */
    private static final long LOOK_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final Clock clock;
    private final Scheduler scheduler;
    private final long termMillis;
    private final Recaller recaller;

    // All guarded by this.
    private final Map<CopyKey, Given> rows = new HashMap<>();
    private final Set<Held> waiting = new LinkedHashSet<>();
    private int out;
    /** Shards that may have copies of an earlier life of this shard. */
    private final Set<Integer> former = new HashSet<>();
    /** When the first recall was sent that is not answered, in nanoseconds, for each shard that has answered none since. */
    private final Map<Integer, Long> unanswered = new HashMap<>();
    /** Shards of these that are asked although their terms are over, to see when they answer again. */
    private final Set<Integer> owing = new HashSet<>();

    private boolean closed;

    private long formerEndNanos;
    private long lookedNanos;

    private final LongAdder recalls = new LongAdder();
    private final LongAdder waits = new LongAdder();
    private final LongAdder waitedNanos = new LongAdder();
    private final LongAdder overdue = new LongAdder();
    private final AtomicInteger admitted = new AtomicInteger();

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
        this.termMillis = termMillis;
        this.recaller = recaller;
        this.formerEndNanos = clock.monotonicNanos() + waitNanos(termMillis);
        this.lookedNanos = clock.monotonicNanos() - LOOK_NANOS;
    }

    /**
     * Sets how many shards may have copies, which never falls. Each batch that was decided by an older map must be durable:
     * a shard that is alone holds no rows that it changes.
     */
    public void admit(int shards) {
        admitted.accumulateAndGet(shards, Math::max);
    }

    /** Whether the shard may have copies. */
    public boolean mayHold(int shard) {
        return shard < admitted.get();
    }

    /** Asks the other shards to drop all copies that an earlier life of this shard gave. */
    void beginLife(int owner, int shards) {
        synchronized (this) {
            formerEndNanos = clock.monotonicNanos() + waitNanos(termMillis);
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

    /** Asks nobody any more who owes an answer. */
    void close() {
        synchronized (this) {
            closed = true;
        }
    }

    private void recallFormer(int shard, RecallCopiesRequest all) {
        var unused = send(shard, all).thenAccept(answered -> {
            boolean owesNow = false;
            synchronized (this) {
                if (answered) {
                    former.remove(shard);
                } else if (clock.monotonicNanos() - formerEndNanos < 0) {
                    scheduler.after(AGAIN_MILLIS, () -> recallFormer(shard, all));
                } else {
                    owesNow = owing.add(shard);
                }
            }
            runFree();
            if (owesNow) {
                askOwing(all.getOwner(), shard);
            }
        });
    }

    private CompletableFuture<Boolean> send(int holder, RecallCopiesRequest request) {
        synchronized (this) {
            unanswered.putIfAbsent(holder, clock.monotonicNanos());
        }
        return recaller.recall(holder, request).thenApply(answered -> {
            if (answered) {
                synchronized (this) {
                    unanswered.remove(holder);
                }
            }
            return answered;
        });
    }

    private boolean isFormerOver(long now) {
        return former.isEmpty() || now - formerEndNanos >= 0;
    }

    /** How long the copies of an answer to this shard are good, in milliseconds. Copies are noted with it afterwards. */
    public synchronized long termMillis(int holder) {
        long now = clock.monotonicNanos();
        long shortMillis = Math.max(termMillis / SHORT, Math.min(termMillis, LEAST_MILLIS));
        Long since = unanswered.get(holder);
        boolean owes = since != null && now - since >= TimeUnit.MILLISECONDS.toNanos(shortMillis);
        return owes || outAtLeast(MANY, now) ? shortMillis : termMillis;
    }

    /** How long this shard waits for a copy, by its own clock, that is good for so long by another clock. */
    private static long waitNanos(long goodMillis) {
        long nanos = TimeUnit.MILLISECONDS.toNanos(goodMillis);
        return nanos + nanos / RATE + TimeUnit.MILLISECONDS.toNanos(1);
    }

    /**
     * Notes that a shard gets a copy of the directory's row, before the row is read. Returns false if the row is about to
     * change, or if too many copies are out.
     *
     * @param goodMillis what {@link #termMillis} was for this answer
     */
    public boolean noteRow(Handle directory, int holder, long goodMillis) {
        return note(CopyKey.ofRow(directory), holder, goodMillis);
    }

    /** Notes the same for a name that leads to a directory. */
    public boolean noteName(Handle directory, String name, int holder, long goodMillis) {
        return note(new CopyKey(directory, name), holder, goodMillis);
    }

    private synchronized boolean note(CopyKey key, int holder, long goodMillis) {
        long now = clock.monotonicNanos();
        Given known = rows.get(key);
        if (known != null && (known.holds > 0 || known.asked.contains(holder))) {
            return false;
        }
        boolean isNoted = known != null && known.ends.containsKey(holder);
        if (!isNoted && outAtLeast(MOST, now)) {
            return false;
        }
        long end = now + waitNanos(goodMillis);
        // An earlier copy may be good for longer.
        rows.computeIfAbsent(key, unused -> new Given())
                .ends
                .merge(holder, end, (earlier, later) -> later - earlier > 0 ? later : earlier);
        if (!isNoted) {
            out++;
        }
        return true;
    }

    /** Whether so many copies are out, without those whose terms were over a while ago. */
    private boolean outAtLeast(int number, long now) {
        if (out >= number && now - lookedNanos >= LOOK_NANOS) {
            lookedNanos = now;
            forgetEnded(now);
        }
        return out >= number;
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

    /** How long a change waits at most for a shard that does not answer, in milliseconds. */
    long longestMillis() {
        return TimeUnit.NANOSECONDS.toMillis(waitNanos(termMillis));
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
        var unused = send(holder, request.build()).thenAccept(answered -> {
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
        boolean owesNow = false;
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
                        owesNow |= owing.add(holder);
                    }
                    forgetUnused(key, given);
                }
            }
        }
        if (!left.isEmpty()) {
            recall(owner, holder, left);
        }
        if (owesNow) {
            askOwing(owner, holder);
        }
    }

    /** Asks a shard to give back nothing, until it answers. Then what it owed is paid, for its terms are over. */
    private void askOwing(int owner, int holder) {
        RecallCopiesRequest nothing =
                RecallCopiesRequest.newBuilder().setOwner(owner).build();
        var unused = send(holder, nothing).thenAccept(answered -> {
            synchronized (this) {
                if (answered) {
                    owing.remove(holder);
                }
                if (answered || closed) {
                    return;
                }
            }
            scheduler.after(OWED_AGAIN_MILLIS, () -> askOwing(owner, holder));
        });
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
