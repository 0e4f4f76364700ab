package io.steadfs.store.mark;

import io.steadfs.store.Overlay;
import io.steadfs.store.Prefixes;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.Table;
import io.steadfs.store.Unsettled;
import io.steadfs.store.format.FormatSteps;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import java.io.IOException;
import java.io.InterruptedIOException;
import java.io.UncheckedIOException;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Recognises that a store was replaced by an older state of itself: a copy from a backup, a snapshot of the disk, or a shortened
 * write-ahead log. A log that ends exactly between two records looks whole.
 *
 * <pre>
 *  each second in which something was committed, and at a clean stop
 *
 *    store            synced: mark n          everything that was acknowledged before is below it in the log
 *    place outside    mark n
 *
 *  at each opening, before anything is served or reserved
 *
 *    store's mark   mark outside   what is done
 *    at or above    there          goes on
 *    any            none           goes on: a new store, or the place lost it
 *    below          there          refused, unless the operator accepts the loss
 *    none           there          the same; but a salvaged store is accepted: the salvage reported its loss
 * </pre>
 *
 * <p><b>Invariant 1</b>: the mark outside is never above the mark in the store that wrote it, because the store's mark is durable first. So
 * no crash can make a store look older than it is.
 *
 * <p><b>Invariant 2</b>: a store without the mark that is outside lacks something that was acknowledged, or might. Changes acknowledged
 * after the last mark, within about a second, can be lost without being noticed.
 *
 * <p><b>Accepting</b> a loss is one synced commit in the store: the rows of its owner ({@link Loss}), the row {@link Unsettled}, and a mark
 * of the next incarnation. Then that mark is stored outside, and only then the store serves. After a crash before the commit the store is
 * refused as before. After a crash behind it the store's mark is above the one outside. From the next incarnation on, the lost state counts
 * as older.
 *
 * <p>There is one object for each owner of a store, over all lives of a process. Opening and closing come one after the other; checks run
 * on the scheduler.
 */
public final class StoreMarks {
    public static final long INTERVAL_MILLIS = 1_000;

    private static final Logger LOG = LoggerFactory.getLogger(StoreMarks.class);
    private static final long STOP_MILLIS = 3_000;

    private final String name;
    private final Table facts;
    private final MarkPlace place;
    private final Clock clock;
    private final Loss loss;
    /** Applies only to the first life of a process. */
    private AcceptedLoss accepted;

    /** The newest mark that this process found outside or wrote into the store; empty before. A store without it lacks something. */
    private volatile Optional<StoreMark> known = Optional.empty();

    private final AtomicLong made = new AtomicLong();

    /** Rows that an owner writes into a store whose loss is accepted, so that it never gives out again what the lost state gave out. */
    @FunctionalInterface
    public interface Loss {
        /**
         * @param rows over the older state; committed with the new mark, all or nothing
         * @param incarnation that begins, at least 1 and above all earlier ones
         */
        void write(Overlay rows, long incarnation);
    }

    /**
     * @param name such as "shard 3"
     * @param facts the store's table of facts
     * @param accepted which stores the operator lets the server start with
     */
    public StoreMarks(String name, Table facts, MarkPlace place, Clock clock, Loss loss, AcceptedLoss accepted) {
        this.name = name;
        this.facts = facts;
        this.place = place;
        this.clock = clock;
        this.loss = loss;
        this.accepted = accepted;
    }

    /** The number of marks that were written into the store, each with a sync. */
    public long made() {
        return made.get();
    }

    /**
     * Compares the store with the mark outside, and from then on marks it until the returned object is closed. Close that one before the
     * store, and after the store's last commit.
     *
     * @param syncs counts the synced commits of the store, including those of marks
     * @throws OlderStoreException if the store is an older state and nobody accepts that
     * @throws IOException if the mark outside or the store cannot be read
     */
    public Marking open(Store store, LongSupplier syncs, Scheduler scheduler) throws IOException {
        boolean knewIt = known.isPresent();
        Compared compared = compare(store);
        StoreMark noted = compared.noted();
        StoreMark newest = compared.within();
        if (compared.isOlder()) {
            newest = accept(store, newest, noted, compared.salvage());
        } else if (noted.isNone() && !newest.isNone()) {
            LOG.warn(
                    "{}: there is no mark outside {}, whose mark is of {}; it is left anew",
                    name,
                    store,
                    newest.time());
        }
        if (!noted.isNone() && newest.incarnation() > noted.incarnation()) {
            leaveAccepted(newest);
        }
        accepted = AcceptedLoss.NONE;
        know(newest);
        Marking marking = new Marking(store, syncs, newest, !knewIt && newest.equals(noted));
        marking.begin(scheduler);
        return marking;
    }

    /**
     * Refuses a store as {@link #open} does, and changes nothing. To be called before the rows of a store are brought to another format: a
     * store that is refused stays as it is.
     *
     * @throws OlderStoreException if the store is an older state and nobody accepts that
     * @throws IOException if the mark outside or the store cannot be read
     */
    public void check(Store store) throws IOException {
        compare(store);
    }

    /**
     * The mark in a store and the one outside.
     *
     * @param salvage what a salvaged store says of itself; empty if the store is none, or is not older
     */
    private record Compared(StoreMark within, StoreMark noted, Optional<String> salvage) {
        boolean isOlder() {
            return within.compareTo(noted) < 0;
        }
    }

    private Compared compare(Store store) throws IOException {
        StoreMark within = within(store);
        Optional<StoreMark> ours = known;
        StoreMark noted = ours.isPresent() ? ours.get() : place.read().orElse(StoreMark.NONE);
        Compared compared = new Compared(within, noted, Optional.empty());
        if (!compared.isOlder()) {
            return compared;
        }
        Optional<String> salvage = within.isNone() ? Unsettled.of(store.committed(), facts) : Optional.empty();
        if (!isAccepted(store) && salvage.isEmpty()) {
            throw new OlderStoreException(older(store, within, noted));
        }
        return new Compared(within, noted, salvage);
    }

    private boolean isAccepted(Store store) {
        return switch (accepted) {
            case NONE -> false;
            case NEW_STORE -> isNew(store);
            case OLDER_STORE -> true;
        };
    }

    /**
     * What a server writes into its store comes with a first row of facts, or after one. The number of the disk format alone may be there
     * already: it is written into a new store before its mark.
     */
    private boolean isNew(Store store) {
        try (ReadView.Cursor rows = store.committed().scan(facts, new byte[0], Prefixes.endOfAll())) {
            while (rows.next()) {
                if (!FormatSteps.isNumber(rows.key())) {
                    return false;
                }
            }
            return true;
        }
    }

    private StoreMark within(Store store) throws IOException {
        try {
            return StoreMark.of(store.committed(), facts);
        } catch (UncheckedIOException e) {
            throw new IOException(String.valueOf(e.getMessage()), e);
        }
    }

    private String older(Store store, StoreMark within, StoreMark noted) {
        return name + ": " + store + " is an older state of itself: it has what was changed until " + within.time()
                + ", and there were changes until " + noted.time() + " (mark " + within.number() + " of incarnation "
                + within.incarnation() + ", mark " + noted.number() + " of incarnation " + noted.incarnation()
                + " is noted in ZooKeeper). What was changed between is missing. Put back the newer directory; if that is lost,"
                + " start once with --accept-loss, and then run bin/stead fsck --repair";
    }

    private StoreMark accept(Store store, StoreMark within, StoreMark noted, Optional<String> held) throws IOException {
        long now = clock.wallMillis();
        long incarnation = noted.incarnation() + 1;
        if (incarnation > StoreMark.MOST_INCARNATION) {
            throw new IOException(
                    name + ": an older state was accepted " + noted.incarnation() + " times, more is not possible");
        }
        StoreMark first = new StoreMark(incarnation, Math.max(within.number(), noted.number()) + 1, now);
        String why = held.orElseGet(() -> Unsettled.OLDER + within.time() + ", without changes until " + noted.time()
                + ", accepted at " + Instant.ofEpochMilli(now));
        try (Overlay rows = store.overlay()) {
            loss.write(rows, incarnation);
            Unsettled.mark(rows, facts, why);
            first.put(rows, facts);
            store.commit(rows, true);
        }
        LOG.warn("{}: {} is taken {}; incarnation {} begins", name, store, why, incarnation);
        return first;
    }

    /** Waits until the mark is outside. Before that, the lost state would still count as the newest, and so would the accepted one. */
    private void leaveAccepted(StoreMark mark) throws IOException {
        try {
            place.leave(mark).get(STOP_MILLIS, TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new InterruptedIOException(name + ": interrupted before the mark of the accepted state was noted");
        } catch (ExecutionException | TimeoutException e) {
            throw new IOException(
                    name + ": the loss is accepted, but its mark " + mark.number() + " of incarnation "
                            + mark.incarnation() + " could not be noted in ZooKeeper within " + STOP_MILLIS
                            + " ms; start again",
                    e);
        }
    }

    /** Marks one opened store. */
    public final class Marking implements AutoCloseable {
        private final Store store;
        private final LongSupplier syncs;
        /** Guarded by this, as are the fields below. */
        private StoreMark newest;

        private long seenSyncs;
        private boolean closed;

        /**
         * The mark that the place holds, and the one being sent there. It has a lock of its own, which nobody holds while waiting for a
         * disk, because membership's thread needs it.
         */
        private final Outside outside = new Outside();

        /** @param isOutside whether the newest mark is outside */
        private Marking(Store store, LongSupplier syncs, StoreMark newest, boolean isOutside) {
            this.store = store;
            this.syncs = syncs;
            this.newest = newest;
            if (isOutside) {
                outside.came(newest, true);
            }
            // With -1, a store that never had a mark gets one.
            this.seenSyncs = newest.isNone() ? -1 : syncs.getAsLong();
        }

        private synchronized void begin(Scheduler scheduler) throws IOException {
            markIfChanged();
            leave();
            lookLater(scheduler);
        }

        private void lookLater(Scheduler scheduler) {
            var unused = scheduler.after(INTERVAL_MILLIS, () -> look(scheduler));
        }

        private synchronized void look(Scheduler scheduler) {
            if (closed) {
                return;
            }
            try {
                markIfChanged();
                leave();
            } catch (IOException | RuntimeException e) {
                // The store itself reports the failure at its next commit.
                LOG.debug("{} is not marked", name, e);
            }
            lookLater(scheduler);
        }

        private void markIfChanged() throws IOException {
            long now = syncs.getAsLong();
            if (now == seenSyncs) {
                return;
            }
            StoreMark next = newest.next(clock.wallMillis());
            try (Overlay rows = store.overlay()) {
                next.put(rows, facts);
                store.commit(rows, true);
            }
            made.incrementAndGet();
            // Other commits of the meantime may not be below this mark. The next mark covers them.
            seenSyncs = now + 1;
            newest = next;
            know(next);
        }

        /** If this fails, the next check repeats it: while ZooKeeper is away, the mark outside stays behind. */
        private void leave() {
            StoreMark mark = newest;
            if (!outside.begins(mark)) {
                return;
            }
            var unused = place.leave(mark).whenComplete((done, failure) -> {
                if (failure != null) {
                    LOG.debug("{}: mark {} is not left outside", name, mark, failure);
                }
                outside.came(mark, failure == null);
            });
        }

        /** Writes the last mark, and waits a short time until it is outside. Nothing may be committed afterwards. */
        @Override
        public void close() {
            if (end()) {
                StoreMark last = newest;
                try {
                    place.leave(last).get(STOP_MILLIS, TimeUnit.MILLISECONDS);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                } catch (ExecutionException | TimeoutException e) {
                    LOG.info("{}: the last mark of {} is not left outside: {}", name, last.time(), e.toString());
                }
            }
        }

        /** Ends marking. Returns whether the last mark has yet to be stored outside. */
        private synchronized boolean end() {
            if (closed) {
                return false;
            }
            closed = true;
            try {
                markIfChanged();
            } catch (IOException | RuntimeException e) {
                LOG.info("{} is not marked at its end: {}", name, e.getMessage());
            }
            return !outside.has(newest);
        }
    }

    /** The mark that the place holds, and the one being sent there. */
    private static final class Outside {
        private StoreMark there = StoreMark.NONE;
        private Optional<StoreMark> onItsWay = Optional.empty();

        /** Whether the mark is to be sent now. If so, {@link #came} must follow. */
        synchronized boolean begins(StoreMark mark) {
            if (mark.equals(there) || onItsWay.filter(mark::equals).isPresent()) {
                return false;
            }
            onItsWay = Optional.of(mark);
            return true;
        }

        synchronized void came(StoreMark mark, boolean isThere) {
            onItsWay = onItsWay.filter(each -> !each.equals(mark));
            if (isThere && there.compareTo(mark) < 0) {
                there = mark;
            }
        }

        synchronized boolean has(StoreMark mark) {
            return mark.equals(there);
        }
    }

    private synchronized void know(StoreMark mark) {
        if (known.isEmpty() || known.get().compareTo(mark) < 0) {
            known = Optional.of(mark);
        }
    }
}
