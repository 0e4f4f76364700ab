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
 * Notices that an older state replaced a store. An older state comes from a backup, from a snapshot of the disk, or
 * from a shortened write-ahead log. RocksDB does not notice a log that is cut exactly between two records.
 *
 * <pre>
 *  each second in which something was committed, and at a clean stop
 *
 *    store            synced: mark n          everything acknowledged before comes earlier in the log
 *    place outside    mark n
 *
 *  at each opening, before the store serves
 *
 *    store's mark   mark outside   what is done
 *    at or above    there          the store is accepted
 *    any            none           accepted: a new store, or the place lost the mark
 *    below          there          refused, unless the operator accepts the loss
 *    none           there          the same; but a salvaged store is accepted
 * </pre>
 *
 * <p><b>Invariant 1</b>: the mark outside is never above the mark in the store, because each mark is first durable in
 * the store. So a crash never makes a store look older than it is.
 *
 * <p><b>Invariant 2</b>: if a store lacks the mark outside, the store may lack acknowledged changes. A loss is not
 * noticed if it only concerns changes since the last mark, which is about one second old.
 *
 * <p><b>Accepting</b> a loss is one synced commit in the store. The commit has the rows of the store's owner
 * ({@link Loss}), the row {@link Unsettled}, and a mark of the next incarnation. After the commit the new mark is
 * stored outside, and only after that the store serves. After a crash before the commit, the store is refused as
 * before. After a crash behind the commit, the store's mark is above the mark outside. In the next incarnation, the
 * lost state counts as older than the accepted state.
 *
 * <p>Each owner of a store has one object of this class for all lives of a process. Openings and closings of the store
 * come one after another. The scheduler's thread runs the regular checks.
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
    /** The loss that the operator accepts. An accepted loss applies only to the first life of the process. */
    private AcceptedLoss accepted;

    /**
     * The newest mark that this process found outside or wrote into the store; empty before the first opening. A store
     * without its newest mark lacks something.
     */
    private volatile Optional<StoreMark> known = Optional.empty();

    private final AtomicLong made = new AtomicLong();

    /**
     * Writes rows of the owner into a store whose loss is accepted. The rows ensure that the owner never gives out
     * again what the lost state gave out.
     */
    @FunctionalInterface
    public interface Loss {
        /**
         * @param rows an overlay over the older state. One commit has these rows and the new mark
         * @param incarnation the incarnation that begins; at least 1, and greater than every earlier incarnation
         */
        void write(Overlay rows, long incarnation);
    }

    /**
     * @param name the owner's name in messages, such as "shard 3"
     * @param facts the store's table of facts
     * @param accepted the loss that the operator accepts for the first life of the process
     */
    public StoreMarks(String name, Table facts, MarkPlace place, Clock clock, Loss loss, AcceptedLoss accepted) {
        this.name = name;
        this.facts = facts;
        this.place = place;
        this.clock = clock;
        this.loss = loss;
        this.accepted = accepted;
    }

    /** The number of marks that this process wrote into the store. Each mark costs one sync. */
    public long made() {
        return made.get();
    }

    /**
     * Compares the store with the mark outside. After that, marks the store regularly until the returned object is
     * closed. The caller closes the returned object after the last commit and before the store.
     *
     * @param syncs returns the number of synced commits of the store, including commits of marks
     * @throws OlderStoreException if the store is an older state and the operator does not accept that
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
     * Refuses a store as {@link #open} does, but changes nothing. Call this method before the rows of a store are
     * brought to another format. So a refused store is not changed.
     *
     * @throws OlderStoreException if the store is an older state and the operator does not accept that
     * @throws IOException if the mark outside or the store cannot be read
     */
    public void check(Store store) throws IOException {
        compare(store);
    }

    /**
     * The mark in the store and the mark outside.
     *
     * @param salvage the reason why the salvaged store is not settled; empty if the store was not salvaged or is not
     *     older
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
     * Whether the store is new, so that it has no row of facts except the number of the disk format. A server writes a
     * first row of facts before its first other row, or together with that row. The number of the disk format is
     * written before the first mark.
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

    /**
     * Waits until the mark is stored outside. Until the mark is outside, both the lost state and the accepted state
     * would count as the newest.
     */
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

    /** Marks one open store regularly. */
    public final class Marking implements AutoCloseable {
        private final Store store;
        private final LongSupplier syncs;
        /** The newest mark of the store. The lock of this object guards this field and the next two. */
        private StoreMark newest;

        private long seenSyncs;
        private boolean closed;

        /**
         * The mark outside and the mark on its way there. The object in this field has a lock of its own, because the
         * thread of the membership needs the lock. No thread holds the lock while it waits for a disk.
         */
        private final Outside outside = new Outside();

        /** @param isOutside whether the newest mark is already stored outside */
        private Marking(Store store, LongSupplier syncs, StoreMark newest, boolean isOutside) {
            this.store = store;
            this.syncs = syncs;
            this.newest = newest;
            if (isOutside) {
                outside.came(newest, true);
            }
            // The value -1 ensures that a store without a mark gets its first mark.
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
                // The failure needs no report here, because the store itself reports it at the next commit.
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
            // Other commits may have come at the same time as this mark, perhaps after it. The next mark covers these
            // commits.
            seenSyncs = now + 1;
            newest = next;
            know(next);
        }

        /**
         * Sends the newest mark to the place outside. If the place refuses the mark, the next check sends the mark
         * again. While ZooKeeper does not answer, the mark outside stays older.
         */
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

        /**
         * Writes the last mark, and waits a short time until that mark is stored outside. The store must have no later
         * commit.
         */
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

        /** Ends the marking of the store. Returns whether the last mark is not stored outside yet. */
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

    /** The mark that is stored outside, and the mark on its way there. */
    private static final class Outside {
        private StoreMark there = StoreMark.NONE;
        private Optional<StoreMark> onItsWay = Optional.empty();

        /** Whether the caller must send the mark now. A caller that sends the mark later calls {@link #came}. */
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
