package io.steadfs.it.exhaustive;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * A shard that holds leases itself and takes the next handle of one for each file that it makes. Beside the file it records
 * how many of the lease were taken, so it knows better than a client what it used. Each start is a new generation: the shard
 * reports what leases it has and how much of each is taken, and whatever else it was granted comes back without a fence,
 * because it never heard of it and never will: it ignores grants to older generations. A lease of which the IO server has
 * settled every handle need not be reported any more.
 *
 * <p>A store that was put back from a copy has forgotten what it took since. The shard takes nothing of the leases it finds
 * there, and says so, in place of a report, until that has arrived: all of them go through the fence.
 *
 * <p>Any message may be lost, late and doubled; the shard starts anew at any time; leases expire at any time.
 *
 * <pre>
 *  IO server, lease    NOT_GRANTED ── asked by the generation that reported last ──► OPEN ── expires, or the store was put back
 *                                                                                     │       ──► REVOKING ── fence ──► CLOSED
 *                                                                                     └── not in a report ────────────────┘
 *             handle   UNUSED ── the shard's word that it has it ──► USED ── removed ──► RETIRED
 *                        └────── unused when the lease is closed ──────────────────────────┘
 *  shard,     lease    NEVER ── heard of the grant ──► HERE ── every handle settled ──► LEFT
 * </pre>
 */
final class HandleLeaseOfAShard implements SmallModel<Packed> {
    /** What is left out, one at a time. */
    enum Without {
        /** The IO server does the report of an older generation than it has heard of. */
        GENERATION_OF_REPORTS,
        /** The IO server does the report of a generation again when it comes again. */
        ONE_REPORT,
        /** An IO server that starts anew does not know whose report it did last. */
        RECORD_OF_REPORTS,
        /** The IO server grants leases to a generation that it had no report of. */
        REPORT_BEFORE_GRANTS,
        /** The shard takes handles of leases that were granted to an older generation, and that it did not report. */
        GENERATION_OF_GRANTS,
        /** The shard forgets a lease that is used up before the IO server knows it. */
        SETTLING,
        /** A store put back from a copy is taken for one that was merely started. */
        KNOWING_THE_COPY,
        /** A shard on a copy says so once only; at its next start it reports as ever. */
        INSISTING_ON_THE_COPY,
        /** The generation is kept in the store, and goes back with it. */
        GENERATION_FROM_OUTSIDE
    }

    /** @param copies whether the shard's store is copied and put back */
    record Kind(int leases, int handles, int generations, boolean copies, Set<Without> without) {
        Kind(int leases, int handles, int generations, boolean copies) {
            this(leases, handles, generations, copies, EnumSet.noneOf(Without.class));
        }

        Kind without(Without one) {
            return new Kind(leases, handles, generations, copies, EnumSet.of(one));
        }
    }

    private static final int NOT_GRANTED = 0;
    private static final int OPEN = 1;
    private static final int REVOKING = 2;
    private static final int CLOSED = 3;

    private static final int UNUSED = 0;
    private static final int USED = 1;
    private static final int RETIRED = 2;

    private static final int NEVER = 0;
    private static final int HERE = 1;
    private static final int LEFT = 2;

    private static final int NONE = 0;
    private static final int THERE = 1;
    private static final int DELETED = 2;

    /** What the shard's store says of one lease. A file is told by the handle that it has. */
    private record Shelf(Cell lease, Cell taken, Cell fenced, List<Cell> file) {
        Shelf(Cell.Maker cells, int handles) {
            this(cells.cell(3), cells.cell(handles + 1), cells.cell(2), cells.cells(handles, 3));
        }

        Packed copyTo(Shelf target, Packed state) {
            Packed after = target.lease.with(state, lease.of(state));
            after = target.taken.with(after, taken.of(state));
            after = target.fenced.with(after, fenced.of(state));
            for (int h = 0; h < file.size(); h++) {
                after = target.file.get(h).with(after, file.get(h).of(state));
            }
            return after;
        }
    }

    /**
     * What the IO server has of a lease, durably; messages about it, sent once, there for ever; and, only for what is looked
     * at, files that were not the same in the copy when that was put back: lost, or alive again.
     */
    private record Granted(
            Cell lease,
            List<Cell> handle,
            List<Cell> grantSent,
            List<Cell> answerSent,
            Cell settledSent,
            List<Cell> inUseSent,
            List<Cell> removeSent,
            List<Cell> lostOrBack) {
        Granted(Cell.Maker cells, Kind kind) {
            this(
                    cells.cell(4),
                    cells.cells(kind.handles(), 3),
                    cells.cells(kind.generations(), 2),
                    cells.cells(1 << kind.handles(), 2),
                    cells.cell(2),
                    cells.cells(kind.handles(), 2),
                    cells.cells(kind.handles(), 2),
                    cells.cells(kind.copies() ? kind.handles() : 0, 2));
        }
    }

    private final Kind kind;
    /** Of a lease in a report: 0 if it is not in it, else 1 + how many of its handles were taken. */
    private final int reportsOfALease;

    // The shard: its generation is kept outside of the store, the rest in it.
    private final Cell generation;
    private final Cell onCopy;
    private final List<Shelf> shelves = new ArrayList<>();

    // The copy.
    private final Cell copied;
    private final Cell generationOfCopy;
    private final List<Shelf> copies = new ArrayList<>();

    // The IO server: durable. One more than the generation whose report it did.
    private final Cell reported;
    private final List<Granted> granted = new ArrayList<>();

    // Messages: sent once, there for ever.
    private final List<Cell> askSent;
    private final List<Cell> onCopySent;
    private final List<Cell> onCopyHeardSent;
    private final List<List<Cell>> reportSent = new ArrayList<>();

    HandleLeaseOfAShard(Kind kind) {
        this.kind = kind;
        this.reportsOfALease = 2 + kind.handles();
        Cell.Maker cells = new Cell.Maker();
        int generations = kind.generations();
        generation = cells.cell(generations);
        onCopy = cells.cell(2);
        copied = cells.cell(2);
        generationOfCopy = cells.cell(generations);
        reported = cells.cell(generations + 1);
        int reports = 1;
        for (int l = 0; l < kind.leases(); l++) {
            reports *= reportsOfALease;
            shelves.add(new Shelf(cells, kind.handles()));
            granted.add(new Granted(cells, kind));
            if (kind.copies()) {
                copies.add(new Shelf(cells, kind.handles()));
            }
        }
        askSent = cells.cells(generations, 2);
        onCopySent = cells.cells(kind.copies() ? generations : 0, 2);
        onCopyHeardSent = cells.cells(kind.copies() ? generations : 0, 2);
        for (int g = 0; g < generations; g++) {
            reportSent.add(cells.cells(g == 0 ? 1 : reports, 2));
        }
    }

    private boolean without(Without one) {
        return kind.without().contains(one);
    }

    @Override
    public Packed start() {
        return reportSent.get(0).get(0).set(Packed.ZERO);
    }

    @Override
    public void steps(Packed state, BiConsumer<String, Packed> to) {
        starts(state, to);
        int now = generation.of(state);
        to.accept("the shard asks for a lease", askSent.get(now).set(state));
        if (kind.copies() && onCopyHeardSent.get(now).isSet(state)) {
            to.accept("the shard hears that its word of the copy has arrived", onCopy.with(state, 0));
        }
        for (int l = 0; l < kind.leases(); l++) {
            shard(state, l, to);
            ioServer(state, l, to);
        }
        for (int g = 0; g < kind.generations(); g++) {
            ask(state, g, to);
            reports(state, g, to);
        }
        if (without(Without.RECORD_OF_REPORTS)) {
            to.accept("the IO server starts anew", reported.with(state, 0));
        }
    }

    // The shard.

    private void starts(Packed state, BiConsumer<String, Packed> to) {
        if (kind.copies() && !copied.isSet(state)) {
            Packed after = generationOfCopy.with(copied.set(state), generation.of(state));
            for (int l = 0; l < kind.leases(); l++) {
                after = shelves.get(l).copyTo(copies.get(l), after);
            }
            to.accept("the shard's store is copied", after);
        }
        int next = generation.of(state) + 1;
        if (next < kind.generations()) {
            to.accept("the shard starts anew", afterStart(state, next));
        }
        int nextOnCopy = without(Without.GENERATION_FROM_OUTSIDE) ? generationOfCopy.of(state) + 1 : next;
        if (copied.isSet(state) && nextOnCopy < kind.generations()) {
            to.accept("the shard starts on the copy", afterStart(afterPutBack(state), nextOnCopy));
        }
    }

    private Packed afterStart(Packed state, int next) {
        Packed after = generation.with(state, next);
        if (!onCopy.isSet(state)) {
            return reportSent.get(next).get(report(after)).set(after);
        }
        after = onCopySent.get(next).set(after);
        return without(Without.INSISTING_ON_THE_COPY) ? onCopy.with(after, 0) : after;
    }

    private Packed afterPutBack(Packed state) {
        boolean known = !without(Without.KNOWING_THE_COPY);
        Packed after = known ? onCopy.set(state) : state;
        for (int l = 0; l < kind.leases(); l++) {
            Shelf shelf = shelves.get(l);
            for (int h = 0; h < kind.handles(); h++) {
                Cell copy = copies.get(l).file().get(h);
                boolean differs = shelf.file().get(h).of(state) != copy.of(state);
                after = differs ? granted.get(l).lostOrBack().get(h).set(after) : after;
            }
            after = copies.get(l).copyTo(shelf, after);
            after = known && shelf.lease().is(after, HERE) ? shelf.lease().with(after, LEFT) : after;
        }
        return after;
    }

    /** As a number: a digit for each lease. */
    private int report(Packed state) {
        int report = 0;
        for (int l = kind.leases() - 1; l >= 0; l--) {
            Shelf shelf = shelves.get(l);
            boolean here = shelf.lease().is(state, HERE);
            report = report * reportsOfALease + (here ? 1 + shelf.taken().of(state) : 0);
        }
        return report;
    }

    private void shard(Packed state, int l, BiConsumer<String, Packed> to) {
        Shelf shelf = shelves.get(l);
        Granted lease = granted.get(l);
        for (int g = 0; g < kind.generations(); g++) {
            boolean believed = generation.is(state, g) || without(Without.GENERATION_OF_GRANTS);
            if (lease.grantSent().get(g).isSet(state)
                    && believed
                    && shelf.lease().is(state, NEVER)) {
                to.accept(
                        "the shard hears of lease " + l + ", granted to generation " + g,
                        shelf.lease().with(state, HERE));
            }
        }
        int taken = shelf.taken().of(state);
        boolean here = shelf.lease().is(state, HERE);
        if (here && !shelf.fenced().isSet(state) && taken < kind.handles()) {
            Packed after = shelf.taken().with(state, taken + 1);
            to.accept(
                    "the shard makes a file with handle " + taken + " of lease " + l,
                    shelf.file().get(taken).with(after, THERE));
        }
        boolean settled = lease.settledSent().isSet(state) || without(Without.SETTLING);
        if (here && taken == kind.handles() && settled) {
            to.accept("the shard forgets lease " + l, shelf.lease().with(state, LEFT));
        }
        for (int h = 0; h < kind.handles(); h++) {
            if (shelf.file().get(h).is(state, THERE)) {
                String name = "handle " + h + " of lease " + l;
                to.accept(
                        "the shard tells that a file has " + name,
                        lease.inUseSent().get(h).set(state));
                Packed after = shelf.file().get(h).with(state, DELETED);
                to.accept(
                        "the file with " + name + " is deleted",
                        lease.removeSent().get(h).set(after));
            }
        }
        if (lease.lease().is(state, REVOKING)) {
            to.accept("the shard receives the fence of lease " + l, afterFence(state, l));
        }
    }

    private Packed afterFence(Packed state, int l) {
        return granted.get(l)
                .answerSent()
                .get(uses(state, l))
                .set(shelves.get(l).fenced().set(state));
    }

    /** A bit for each handle that a file has. */
    private int uses(Packed state, int l) {
        int uses = 0;
        for (int h = 0; h < kind.handles(); h++) {
            uses |= shelves.get(l).file().get(h).is(state, THERE) ? 1 << h : 0;
        }
        return uses;
    }

    // The IO server.

    private void ask(Packed state, int g, BiConsumer<String, Packed> to) {
        boolean mayAsk =
                reported.is(state, g + 1) || (without(Without.REPORT_BEFORE_GRANTS) && reported.of(state) <= g);
        if (!askSent.get(g).isSet(state) || !mayAsk) {
            return;
        }
        for (int l = 0; l < kind.leases(); l++) {
            Granted lease = granted.get(l);
            if (lease.lease().is(state, NOT_GRANTED)) {
                to.accept(
                        "the IO server grants lease " + l + " to generation " + g,
                        lease.grantSent().get(g).set(lease.lease().with(state, OPEN)));
                return;
            }
        }
    }

    private void reports(Packed state, int g, BiConsumer<String, Packed> to) {
        boolean older = reported.of(state) > g + 1;
        boolean again = reported.is(state, g + 1);
        if ((older && !without(Without.GENERATION_OF_REPORTS)) || (again && !without(Without.ONE_REPORT))) {
            return;
        }
        Packed after = reported.with(state, Math.max(reported.of(state), g + 1));
        for (int report = 0; report < reportSent.get(g).size(); report++) {
            if (reportSent.get(g).get(report).isSet(state)) {
                to.accept(
                        "the IO server receives the report of generation " + g + ": " + inWords(report),
                        afterReport(after, report));
            }
        }
        if (kind.copies() && onCopySent.get(g).isSet(state)) {
            to.accept(
                    "the IO server receives that generation " + g + " is on a copy",
                    onCopyHeardSent.get(g).set(afterExpiryOfAll(after)));
        }
    }

    private Packed afterExpiryOfAll(Packed state) {
        Packed after = state;
        for (Granted one : granted) {
            after = one.lease().is(after, OPEN) ? one.lease().with(after, REVOKING) : after;
        }
        return after;
    }

    private Packed afterReport(Packed state, int report) {
        Packed after = state;
        int left = report;
        for (Granted one : granted) {
            int listed = left % reportsOfALease;
            left /= reportsOfALease;
            if (!one.lease().is(state, OPEN)) {
                continue;
            }
            for (int h = 0; h < kind.handles(); h++) {
                Cell handle = one.handle().get(h);
                if (handle.is(after, UNUSED) && (listed == 0 || h < listed - 1)) {
                    after = handle.with(after, listed == 0 ? RETIRED : USED);
                }
            }
            after = listed == 0 ? one.lease().with(after, CLOSED) : after;
        }
        return after;
    }

    private String inWords(int report) {
        List<String> words = new ArrayList<>();
        int left = report;
        for (int l = 0; l < kind.leases(); l++) {
            int listed = left % reportsOfALease;
            left /= reportsOfALease;
            if (listed != 0) {
                words.add((listed - 1) + " handles of lease " + l + " taken");
            }
        }
        return words.isEmpty() ? "no lease" : String.join(", ", words);
    }

    private void ioServer(Packed state, int l, BiConsumer<String, Packed> to) {
        Granted lease = granted.get(l);
        if (lease.lease().is(state, OPEN)) {
            to.accept("lease " + l + " expires", lease.lease().with(state, REVOKING));
        }
        boolean settled = lease.handle().stream().noneMatch(one -> one.is(state, UNUSED));
        if (settled) {
            to.accept(
                    "the IO server tells that every handle of lease " + l + " is settled",
                    lease.settledSent().set(state));
        }
        for (int h = 0; h < kind.handles(); h++) {
            Cell handle = lease.handle().get(h);
            String name = "handle " + h + " of lease " + l;
            if (lease.inUseSent().get(h).isSet(state) && handle.is(state, UNUSED)) {
                to.accept("the IO server receives that a file has " + name, handle.with(state, USED));
            }
            if (lease.removeSent().get(h).isSet(state) && !handle.is(state, RETIRED)) {
                to.accept("the IO server removes " + name, handle.with(state, RETIRED));
            }
        }
        for (int uses = 0; uses < 1 << kind.handles(); uses++) {
            if (lease.lease().is(state, REVOKING)
                    && lease.answerSent().get(uses).isSet(state)) {
                to.accept("the IO server receives the answer to the fence of lease " + l, afterAnswer(state, l, uses));
            }
        }
    }

    private Packed afterAnswer(Packed state, int l, int uses) {
        Packed after = granted.get(l).lease().with(state, CLOSED);
        for (int h = 0; h < kind.handles(); h++) {
            Cell handle = granted.get(l).handle().get(h);
            boolean used = (uses >> h & 1) == 1;
            after = handle.is(after, UNUSED) ? handle.with(after, used ? USED : RETIRED) : after;
        }
        return after;
    }

    // What must never be.

    @Override
    public Optional<String> wrong(Packed state) {
        for (int l = 0; l < kind.leases(); l++) {
            for (int h = 0; h < kind.handles(); h++) {
                Optional<String> wrong = wrong(state, l, h);
                if (wrong.isPresent()) {
                    return wrong;
                }
            }
        }
        return wrongAtLast(atLast(state));
    }

    private Optional<String> wrong(Packed state, int l, int h) {
        int file = shelves.get(l).file().get(h).of(state);
        String name = "handle " + h + " of lease " + l;
        if (isLostOrBack(state, l, h)) {
            boolean another = file == THERE && !copies.get(l).file().get(h).is(state, THERE);
            return another
                    ? Optional.of("V4: " + name + " was in a file before the copy was put back, and is in another")
                    : Optional.empty();
        }
        int handle = granted.get(l).handle().get(h).of(state);
        if (file == THERE && handle == RETIRED) {
            return Optional.of("V2: a file has " + name + ", which is reclaimed");
        }
        return handle == USED && file == NONE ? Optional.of("V5: " + name + " is in use by no file") : Optional.empty();
    }

    private boolean isLostOrBack(Packed state, int l, int h) {
        return kind.copies() && granted.get(l).lostOrBack().get(h).isSet(state);
    }

    /** What comes of a state when nothing new is asked for, and nothing is lost any more. */
    private Packed atLast(Packed state) {
        Packed after = afterExpiryOfAll(state);
        for (int l = 0; l < kind.leases(); l++) {
            Granted lease = granted.get(l);
            if (lease.lease().is(after, REVOKING)) {
                after = afterFence(after, l);
                after = afterAnswer(after, l, uses(after, l));
            }
            for (int h = 0; h < kind.handles(); h++) {
                boolean asked = lease.removeSent().get(h).isSet(after);
                after = asked ? lease.handle().get(h).with(after, RETIRED) : after;
            }
        }
        return after;
    }

    private Optional<String> wrongAtLast(Packed state) {
        for (int l = 0; l < kind.leases(); l++) {
            for (int h = 0; h < kind.handles(); h++) {
                int handle = granted.get(l).handle().get(h).of(state);
                boolean granted = !this.granted.get(l).lease().is(state, NOT_GRANTED);
                boolean there = shelves.get(l).file().get(h).is(state, THERE);
                boolean kept = handle == UNUSED || (handle == USED && !there && !isLostOrBack(state, l, h));
                if (granted && kept) {
                    return Optional.of("V5: nobody will ever look at handle " + h + " of lease " + l + " again");
                }
            }
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return kind.leases() + " leases of " + kind.handles() + " handles, " + kind.generations() + " generations"
                + (kind.copies() ? ", a copy of the store" : "")
                + (kind.without().isEmpty() ? "" : ", without " + kind.without());
    }
}
