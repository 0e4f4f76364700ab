package io.steadfs.it.exhaustive;

import static io.steadfs.it.exhaustive.Cell.zero;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;

/**
 * A range of a directory's names goes from one shard to another and back (docs/decisions/0033-partitions.md). Shard 0 owns the
 * range at first. A third shard, the home shard, has the directory's exact map. A split, a merge and a move of a whole partition
 * are the same for the names of the range.
 *
 * <pre>
 *  source   NONE ── stages a new directory at the target ──► COPYING ── all is copied ──► HANDING: changes are BUSY
 *             ▲                                                │ gives up                  │ gives up │ nothing is dirty,
 *             ├──── intent is undone ◄─────────────────────────┴───────────────────────────┘          │ held or under way,
 *             └──── names are gone, intent is committed, all in one batch ◄───────────────────────────┘ both others prepared
 *  target   NONE ──► STAGED: takes copies ── prepared ──► FROZEN ── finish ──► its names are served
 *             └────── dropped with its copies ◄── intent was undone ──┴──┘
 *  copies   names, one in each message, in order; then each name that was changed behind the cursor, as often as it is
 *           changed. Messages of a hand over have numbers. The target does only the next one.
 * </pre>
 *
 * Each step is one batch of one shard. A message that was sent stays, so it may arrive never, late and again. Nothing that
 * matters is in memory alone, so a start is no step of its own. These are wrong:
 *
 * <ul>
 *   <li>G1: both shards serve the range.
 *   <li>G2: a name that was made is not there for who owns the range.
 *   <li>G3: a name that was unlinked is there again.
 *   <li>TWICE: a request of a client has its effect two times.
 *   <li>REMOVED: the directory is removed, and has a name.
 *   <li>REST: when no message is lost any more and nothing new begins, something is left over, or the map is not exact.
 * </ul>
 */
final class PartitionHandOver implements SmallModel<Packed> {
    /** What is left out, one at a time. */
    enum Without {
        /** A hand over takes its copies where an earlier one left some. */
        NEW_DIRECTORY,
        /** The target does each copy message that it gets. */
        NUMBERS,
        /** The target does copy messages after it was prepared, whatever their number. */
        FROZEN_TARGET,
        /** The target drops what it was prepared for when it hears nothing for long. */
        PREPARED_STAYS,
        /** A change behind the cursor is not noted. */
        DIRTY_NAMES,
        /** The source commits although changed names were not shipped. */
        DIRTY_NAMES_SHIPPED,
        /** An answer to a message clears what was changed since it was sent, too. */
        DIRTY_AGAIN,
        /** The source goes on before the target has made a message durable. */
        ANSWER_OF_THE_TARGET,
        /** The source commits although a rename holds a name. */
        HELD_NAMES,
        /** The source commits, and its names stay where they are. */
        NAMES_GO_WITH_THE_DECISION,
        /** The target serves the range before the source has given it up. */
        SOURCE_FIRST,
        /** The home shard is prepared for two hand overs at a time. */
        ONE_HAND_OVER_AT_A_TIME,
        /** An intent that is undone, and not by the source itself, leaves the source where it was. */
        SOURCE_SEES_THE_END,
        /** A shard to which the map leads says that it has no names, although it does not own the range yet. */
        BUSY_WHERE_NOT_OWNED,
        /** A client takes a request that was not answered to another shard. */
        SETTLED_WHERE_IT_WAS_SENT,
        /** A shard says that it does not own a name, and forgets that it said so. */
        RECORD_OF_WRONG_PARTITION
    }

    /** What a model may have or not, so that there are fewer states. */
    enum More {
        /** A rename of another shard may hold the first name, once. */
        RENAME,
        /** A client asks for the first name, once. */
        REQUEST,
        /** The directory may be removed, if it has no names. */
        REMOVAL
    }

    /**
     * @param names in the range
     * @param handOvers most hand overs, those that are given up among them
     * @param changes most changes of names; a rename that commits is one
     */
    record Kind(int names, int handOvers, int changes, Set<More> more, Set<Without> without) {
        Kind(int names, int handOvers, int changes, More... more) {
            this(names, handOvers, changes, Set.of(more), Set.of());
        }

        Kind without(Without one) {
            return new Kind(names, handOvers, changes, more, Set.of(one));
        }

        boolean has(More one) {
            return more.contains(one);
        }
    }

    private static final int SHARDS = 2;

    private static final int NONE = 0;

    // The source.
    private static final int COPYING = 1;
    private static final int HANDING = 2;

    // The target.
    private static final int STAGED = 1;
    private static final int FROZEN = 2;
    private static final int ENDED = 3;

    // A hand over, and its intent. One that is closed keeps its outcome, because messages with it may still arrive.
    private static final int BEGUN = 1;
    private static final int UNDECIDED = 2;
    private static final int COMMITTED = 3;
    private static final int UNDONE = 4;
    private static final int CLOSED_COMMITTED = 5;
    private static final int CLOSED_UNDONE = 6;

    // What a copy message says of a name. Names that are not there are not copied, unless they were changed.
    private static final int GONE = 0;
    private static final int THERE = 1;
    private static final int NOTHING = 2;

    // A name behind the cursor.
    private static final int CLEAN = 0;
    private static final int DIRTY = 1;
    private static final int UNDER_WAY = 2;

    // The client's request, and what a shard recorded of it.
    private static final int ASKED_FIRST = 1;
    private static final int ASKED_SECOND = 2;
    private static final int DONE = 1;
    private static final int REFUSED = 2;
    private static final int WRONG_PARTITION = 3;

    /** What a shard has as an owner, or as a source. */
    private final class Shard {
        private final int number;
        private final Cell owns;
        private final List<Cell> name;
        private final Cell held;
        /** A removal of the directory holds the range. */
        private final Cell locked;

        private final Cell out;
        private final Cell outOf;
        private final Cell cursor;
        /** Number of the last message, and one more than the name in it, while it is not answered. */
        private final Cell sent;

        private final Cell inFlight;
        private final List<Cell> dirty;

        Shard(int number, Cell.Maker cells) {
            this.number = number;
            owns = cells.cell(2);
            name = cells.cells(kind.names(), 2);
            held = cells.cell(2);
            locked = cells.cell(2);
            out = cells.cell(3);
            outOf = cells.cell(kind.handOvers());
            cursor = cells.cell(kind.names() + 1);
            sent = cells.cell(messages + 1);
            inFlight = cells.cell(kind.names() + 1);
            dirty = cells.cells(kind.names(), 3);
        }

        boolean mayChange(Packed state) {
            return owns.isSet(state) && !out.is(state, HANDING) && !locked.isSet(state);
        }

        /** Sets a name that a client, or a rename, changed. */
        Packed changed(Packed state, int n, int there) {
            Packed after = truth.get(n).with(name.get(n).with(state, there), there);
            boolean behind = !out.is(state, NONE) && n < cursor.of(state);
            return behind && !without(Without.DIRTY_NAMES) ? dirty.get(n).with(after, DIRTY) : after;
        }

        Packed withoutOut(Packed state) {
            return zero(zero(state, dirty), out, outOf, cursor, sent, inFlight);
        }

        /** Whether no changed name is left to be shipped, no message is under way, and no rename holds a name. */
        boolean isClean(Packed state) {
            boolean isDirty = dirty.stream().anyMatch(one -> one.isSet(state));
            return inFlight.is(state, 0)
                    && (!isDirty || without(Without.DIRTY_NAMES_SHIPPED))
                    && (!held.isSet(state) || without(Without.HELD_NAMES));
        }
    }

    /** One hand over: what its target and the home shard have of it, and the messages that were sent for it. */
    private final class HandOver {
        private final int number;
        private final Cell intent;
        private final Cell source;
        private final Cell target;
        private final List<Cell> staged;
        /** Number of the last message that the target did, and answered. */
        private final Cell last;

        private final Cell prepared;
        private final Cell asked;
        private final Cell homePrepared;
        private final Cell homeEnded;
        /** By the number of the message, the name, and what is said of it. */
        private final List<List<List<Cell>>> copySent = new ArrayList<>();

        HandOver(int number, Cell.Maker cells) {
            this.number = number;
            intent = cells.cell(7);
            source = cells.cell(SHARDS);
            target = cells.cell(4);
            staged = cells.cells(kind.names(), 2);
            last = cells.cell(messages + 1);
            prepared = cells.cell(2);
            asked = cells.cell(2);
            homePrepared = cells.cell(2);
            homeEnded = cells.cell(2);
            for (int k = 0; k < messages; k++) {
                List<List<Cell>> names = new ArrayList<>();
                for (int n = 0; n < kind.names(); n++) {
                    names.add(cells.cells(NOTHING + 1, 2));
                }
                copySent.add(names);
            }
        }

        Shard target(Packed state) {
            return shards.get(1 - source.of(state));
        }

        boolean isCommitted(Packed state) {
            return intent.is(state, COMMITTED) || intent.is(state, CLOSED_COMMITTED);
        }

        boolean isUndone(Packed state) {
            return intent.is(state, UNDONE) || intent.is(state, CLOSED_UNDONE);
        }

        Packed ended(Packed state) {
            boolean keeps = without(Without.NEW_DIRECTORY) && isUndone(state);
            Packed after = target.with(state, ENDED);
            return keeps ? after : zero(after, staged);
        }

        @Override
        public String toString() {
            return "hand over " + number;
        }
    }

    private final Kind kind;
    /** Most copy messages of a hand over. */
    private final int messages;

    private final List<Cell> truth;
    private final Cell changes;
    private final Cell renamed;
    private final List<Shard> shards = new ArrayList<>();
    private final List<HandOver> handOvers = new ArrayList<>();
    private final Cell map;
    private final Cell homeSlot;
    /** A removal holds the home shard's row. The map stays as it is then. */
    private final Cell homeLocked;

    private final Cell removed;
    private final Cell client;
    private final List<Cell> recorded;
    private final Cell toldWrong;

    PartitionHandOver(Kind kind) {
        this.kind = kind;
        this.messages = kind.names() + kind.changes();
        Cell.Maker cells = new Cell.Maker();
        truth = cells.cells(kind.names(), 2);
        changes = cells.cell(kind.changes() + 1);
        renamed = cells.cell(2);
        map = cells.cell(SHARDS);
        homeSlot = cells.cell(kind.handOvers() + 1);
        homeLocked = cells.cell(2);
        removed = cells.cell(2);
        client = cells.cell(3);
        recorded = cells.cells(SHARDS, 4);
        toldWrong = cells.cell(2);
        for (int s = 0; s < SHARDS; s++) {
            shards.add(new Shard(s, cells));
        }
        for (int h = 0; h < kind.handOvers(); h++) {
            handOvers.add(new HandOver(h, cells));
        }
    }

    private boolean without(Without one) {
        return kind.without().contains(one);
    }

    @Override
    public Packed start() {
        return shards.get(0).owns.set(Packed.ZERO);
    }

    @Override
    public void steps(Packed state, BiConsumer<String, Packed> to) {
        for (Shard shard : shards) {
            changes(state, shard, to);
            if (kind.has(More.RENAME)) {
                rename(state, shard, to);
            }
            source(state, shard, to);
        }
        for (HandOver handOver : handOvers) {
            begin(state, handOver, to);
            if (!handOver.intent.is(state, NONE)) {
                target(state, handOver, to);
                copies(state, handOver, to);
                home(state, handOver, to);
                close(state, handOver, to);
            }
        }
        if (kind.has(More.REQUEST)) {
            request(state, to);
        }
        if (kind.has(More.REMOVAL) && !removed.isSet(state)) {
            removal(state, to);
        }
    }

    // Clients.

    private void changes(Packed state, Shard shard, BiConsumer<String, Packed> to) {
        if (!shard.mayChange(state) || changes.is(state, kind.changes())) {
            return;
        }
        Packed one = changes.with(state, changes.of(state) + 1);
        for (int n = 0; n < kind.names(); n++) {
            if (n > 0 || !shard.held.isSet(state)) {
                boolean there = shard.name.get(n).isSet(state);
                to.accept(
                        "shard " + shard.number + (there ? " unlinks" : " makes") + " name " + n,
                        shard.changed(one, n, there ? 0 : 1));
            }
        }
    }

    private void rename(Packed state, Shard shard, BiConsumer<String, Packed> to) {
        if (shard.mayChange(state) && shard.name.get(0).isSet(state) && !renamed.isSet(state)) {
            to.accept("a rename holds name 0 at shard " + shard.number, renamed.set(shard.held.set(state)));
        }
        if (shard.held.isSet(state)) {
            Packed free = shard.held.with(state, 0);
            to.accept("the rename is undone", free);
            if (changes.of(state) < kind.changes()) {
                Packed one = changes.with(free, changes.of(state) + 1);
                to.accept("the rename takes name 0 away", shard.changed(one, 0, 0));
            }
        }
    }

    /** A client asks shard 0 to make name 0, and shard 1 if shard 0 does not own the name. */
    private void request(Packed state, BiConsumer<String, Packed> to) {
        if (client.is(state, NONE)) {
            to.accept("the client asks shard 0", client.with(state, ASKED_FIRST));
            return;
        }
        asked(state, shards.get(0), to);
        if (client.is(state, ASKED_SECOND)) {
            asked(state, shards.get(1), to);
        } else if (toldWrong.isSet(state) || without(Without.SETTLED_WHERE_IT_WAS_SENT)) {
            to.accept("the client asks shard 1", client.with(state, ASKED_SECOND));
        }
    }

    private void asked(Packed state, Shard shard, BiConsumer<String, Packed> to) {
        Cell record = recorded.get(shard.number);
        if (!record.is(state, NONE) || shard.out.is(state, HANDING) || shard.held.isSet(state)) {
            return;
        }
        if (!shard.owns.isSet(state)) {
            Packed told = shard.number == 0 ? toldWrong.set(state) : state;
            boolean forgets = without(Without.RECORD_OF_WRONG_PARTITION);
            to.accept(
                    "shard " + shard.number + " answers that it does not own name 0",
                    forgets ? told : record.with(told, WRONG_PARTITION));
        } else if (shard.name.get(0).isSet(state)) {
            to.accept("shard " + shard.number + " answers that name 0 is there", record.with(state, REFUSED));
        } else if (changes.of(state) < kind.changes()) {
            Packed one = changes.with(record.with(state, DONE), changes.of(state) + 1);
            to.accept("shard " + shard.number + " makes name 0 for the client", shard.changed(one, 0, 1));
        }
    }

    /** The home shard is held first. Its map says whom to hold next. */
    private void removal(Packed state, BiConsumer<String, Packed> to) {
        if (!homeLocked.isSet(state)) {
            if (homeSlot.is(state, 0)) {
                to.accept("a removal holds the home shard", homeLocked.set(state));
            }
            return;
        }
        Packed free = homeLocked.with(state, 0);
        for (Shard shard : shards) {
            free = shard.locked.with(free, 0);
        }
        to.accept("the removal is given up", free);
        Shard shard = shards.get(map.of(state));
        boolean isEmpty = shard.name.stream().noneMatch(name -> name.isSet(state));
        boolean owns = shard.owns.isSet(state) || without(Without.BUSY_WHERE_NOT_OWNED);
        if (shard.locked.isSet(state)) {
            to.accept("the directory is removed", removed.set(state));
        } else if (isEmpty && owns && shard.out.is(state, NONE)) {
            to.accept("the removal holds shard " + shard.number, shard.locked.set(state));
        }
    }

    // The source.

    private void begin(Packed state, HandOver handOver, BiConsumer<String, Packed> to) {
        int h = handOver.number;
        boolean isNext = handOver.intent.is(state, NONE)
                && (h == 0 || !handOvers.get(h - 1).intent.is(state, NONE));
        for (Shard shard : shards) {
            if (isNext && shard.owns.isSet(state) && shard.out.is(state, NONE) && !shard.locked.isSet(state)) {
                Packed after = handOver.source.with(handOver.intent.with(state, BEGUN), shard.number);
                after = shard.outOf.with(shard.out.with(handOver.target.with(after, STAGED), COPYING), h);
                to.accept(handOver + " begins at shard " + shard.number, leftovers(after, handOver));
            }
        }
    }

    /** What an earlier attempt left, if a hand over has no directory of its own. */
    private Packed leftovers(Packed state, HandOver handOver) {
        Packed after = state;
        for (int h = 0; h < handOver.number && without(Without.NEW_DIRECTORY); h++) {
            HandOver earlier = handOvers.get(h);
            for (int n = 0; n < kind.names(); n++) {
                boolean left = earlier.isUndone(state) && earlier.staged.get(n).isSet(state);
                after = left ? handOver.staged.get(n).set(after) : after;
            }
        }
        return after;
    }

    private void source(Packed state, Shard shard, BiConsumer<String, Packed> to) {
        if (shard.out.is(state, NONE)) {
            return;
        }
        HandOver handOver = handOvers.get(shard.outOf.of(state));
        if (handOver.isUndone(state)) {
            Packed seen = without(Without.SOURCE_SEES_THE_END) ? state : shard.withoutOut(state);
            to.accept("the source sees the end of " + handOver, seen);
            return;
        }
        to.accept(handOver + " is undone", handOver.intent.with(state, UNDONE));
        ship(state, shard, handOver, to);
        if (shard.out.is(state, COPYING) && shard.cursor.is(state, kind.names())) {
            to.accept(handOver + " stops changes", shard.out.with(state, HANDING));
        }
        if (!shard.out.is(state, HANDING) || !shard.isClean(state)) {
            return;
        }
        if (handOver.intent.is(state, BEGUN)) {
            to.accept(handOver + " asks for all", handOver.asked.set(handOver.intent.with(state, UNDECIDED)));
        } else if (handOver.prepared.isSet(state) && handOver.homePrepared.isSet(state)) {
            Packed after = handOver.intent.with(shard.owns.with(shard.withoutOut(state), 0), COMMITTED);
            boolean stay = without(Without.NAMES_GO_WITH_THE_DECISION);
            to.accept(handOver + " is committed", stay ? after : zero(after, shard.name));
        }
    }

    private void ship(Packed state, Shard shard, HandOver handOver, BiConsumer<String, Packed> to) {
        int k = shard.sent.of(state);
        if (!shard.inFlight.is(state, 0)) {
            int n = shard.inFlight.of(state) - 1;
            int says = said(state, shard, n);
            Packed after = handOver.copySent.get(k - 1).get(n).get(says).set(state);
            boolean goesOn = without(Without.ANSWER_OF_THE_TARGET);
            to.accept(
                    "message " + k + " says of name " + n + ": "
                            + List.of("gone", "there", "nothing").get(says),
                    goesOn ? answered(after, shard) : after);
            if (handOver.last.of(state) >= k) {
                to.accept("the source hears of message " + k, answered(state, shard));
            }
            return;
        }
        int n = shard.cursor.of(state);
        if (n < kind.names()) {
            Packed after = shard.name.get(n).isSet(state) ? taken(state, shard, n) : state;
            to.accept("the source takes name " + n, shard.cursor.with(after, n + 1));
            return;
        }
        for (int d = 0; d < kind.names() && handOver.intent.is(state, BEGUN); d++) {
            if (shard.dirty.get(d).is(state, DIRTY)) {
                Packed after = shard.dirty.get(d).with(state, UNDER_WAY);
                to.accept("the source takes the changed name " + d, taken(after, shard, d));
            }
        }
    }

    /** The rows are read anew each time that the message is sent. */
    private static int said(Packed state, Shard shard, int n) {
        if (shard.name.get(n).isSet(state)) {
            return THERE;
        }
        return shard.dirty.get(n).is(state, UNDER_WAY) ? GONE : NOTHING;
    }

    private static Packed taken(Packed state, Shard shard, int n) {
        return shard.inFlight.with(shard.sent.with(state, shard.sent.of(state) + 1), n + 1);
    }

    private Packed answered(Packed state, Shard shard) {
        Cell dirty = shard.dirty.get(shard.inFlight.of(state) - 1);
        Packed after = shard.inFlight.with(state, 0);
        return dirty.is(state, UNDER_WAY) || without(Without.DIRTY_AGAIN) ? dirty.with(after, CLEAN) : after;
    }

    // The target.

    private void target(Packed state, HandOver handOver, BiConsumer<String, Packed> to) {
        String at = "shard " + handOver.target(state).number;
        boolean isThere = handOver.target.is(state, STAGED) || handOver.target.is(state, FROZEN);
        if (handOver.target.is(state, STAGED) && handOver.asked.isSet(state)) {
            to.accept(at + " is prepared for " + handOver, handOver.prepared.set(handOver.target.with(state, FROZEN)));
        }
        boolean isEarly = without(Without.SOURCE_FIRST) && handOver.homePrepared.isSet(state);
        if (handOver.target.is(state, FROZEN) && (handOver.isCommitted(state) || isEarly)) {
            to.accept(at + " takes over by " + handOver, takenOver(state, handOver));
        } else if (isThere && handOver.isUndone(state)) {
            to.accept(at + " drops copies of " + handOver, handOver.ended(state));
        } else if (handOver.target.is(state, FROZEN) && without(Without.PREPARED_STAYS)) {
            to.accept(at + " hears nothing of " + handOver, handOver.ended(state));
        }
    }

    private Packed takenOver(Packed state, HandOver handOver) {
        Shard target = handOver.target(state);
        Packed after = target.owns.set(state);
        for (int n = 0; n < kind.names(); n++) {
            after = handOver.staged.get(n).isSet(state) ? target.name.get(n).set(after) : after;
        }
        return handOver.ended(after);
    }

    private void copies(Packed state, HandOver handOver, BiConsumer<String, Packed> to) {
        for (int k = 1; k <= messages; k++) {
            for (int n = 0; n < kind.names(); n++) {
                for (int says = 0; says <= NOTHING; says++) {
                    if (handOver.copySent.get(k - 1).get(n).get(says).isSet(state)) {
                        copy(state, handOver, k, n, says, to);
                    }
                }
            }
        }
    }

    private void copy(Packed state, HandOver handOver, int k, int n, int says, BiConsumer<String, Packed> to) {
        int last = handOver.last.of(state);
        boolean isNext = k == last + 1 || without(Without.NUMBERS);
        boolean isFrozen = handOver.target.is(state, FROZEN) && without(Without.FROZEN_TARGET);
        if ((handOver.target.is(state, STAGED) && isNext) || isFrozen) {
            Packed after = says == NOTHING ? state : handOver.staged.get(n).with(state, says);
            to.accept("the target does message " + k + " of " + handOver, handOver.last.with(after, Math.max(k, last)));
        }
    }

    // The home shard.

    private void home(Packed state, HandOver handOver, BiConsumer<String, Packed> to) {
        if (!handOver.asked.isSet(state) || handOver.homeEnded.isSet(state)) {
            return;
        }
        boolean mayPrepare = homeSlot.is(state, 0) || without(Without.ONE_HAND_OVER_AT_A_TIME);
        if (mayPrepare && !homeLocked.isSet(state)) {
            Packed after = homeSlot.with(state, handOver.number + 1);
            to.accept("the home shard is prepared for " + handOver, handOver.homePrepared.set(after));
        }
        if (handOver.isCommitted(state) || handOver.isUndone(state)) {
            Packed after = handOver.homeEnded.set(state);
            after = homeSlot.is(state, handOver.number + 1) ? homeSlot.with(after, 0) : after;
            after = handOver.isCommitted(state) ? map.with(after, handOver.target(state).number) : after;
            to.accept("the home shard finishes " + handOver, after);
        }
    }

    private void close(Packed state, HandOver handOver, BiConsumer<String, Packed> to) {
        boolean homeHeard = handOver.homeEnded.isSet(state) || !handOver.asked.isSet(state);
        if (!handOver.target.is(state, ENDED) || !homeHeard) {
            return;
        }
        if (handOver.intent.is(state, COMMITTED)) {
            to.accept(handOver + " is closed", handOver.intent.with(state, CLOSED_COMMITTED));
        } else if (handOver.intent.is(state, UNDONE)) {
            to.accept(handOver + " is closed", handOver.intent.with(state, CLOSED_UNDONE));
        }
    }

    @Override
    public Optional<String> wrong(Packed state) {
        if (shards.stream().allMatch(shard -> shard.owns.isSet(state))) {
            return Optional.of("G1: both shards serve the range");
        }
        for (Shard shard : shards) {
            for (int n = 0; shard.owns.isSet(state) && n < kind.names(); n++) {
                boolean there = shard.name.get(n).isSet(state);
                if (there != truth.get(n).isSet(state)) {
                    return Optional.of(
                            there
                                    ? "G3: name " + n + " is there again at shard " + shard.number
                                    : "G2: name " + n + " is not there at shard " + shard.number);
                }
            }
        }
        if (removed.isSet(state) && truth.stream().anyMatch(name -> name.isSet(state))) {
            return Optional.of("REMOVED: the directory is removed, and has a name");
        }
        if (recorded.stream().allMatch(record -> record.is(state, DONE))) {
            return Optional.of("TWICE: a request made name 0 at both shards");
        }
        return whatIsLeft(atRest(state));
    }

    /** The state in which all ends if nothing new begins. Nobody is told again of what is closed. */
    private Packed atRest(Packed state) {
        Packed[] rest = {state};
        for (Shard shard : shards) {
            if (!shard.out.is(state, NONE)) {
                HandOver handOver = handOvers.get(shard.outOf.of(state));
                boolean isUndone = handOver.isUndone(state);
                rest[0] = isUndone ? rest[0] : handOver.intent.with(rest[0], UNDONE);
                source(rest[0], shard, (what, after) -> rest[0] = after);
            }
        }
        for (HandOver handOver : handOvers) {
            if (handOver.intent.is(rest[0], COMMITTED) || handOver.intent.is(rest[0], UNDONE)) {
                target(rest[0], handOver, (what, after) -> rest[0] = after);
                home(rest[0], handOver, (what, after) -> rest[0] = after);
                close(rest[0], handOver, (what, after) -> rest[0] = after);
            }
        }
        return rest[0];
    }

    private Optional<String> whatIsLeft(Packed rest) {
        List<Shard> owners =
                shards.stream().filter(shard -> shard.owns.isSet(rest)).toList();
        if (owners.size() != 1) {
            return Optional.of("REST: " + owners.size() + " shards serve the range in the end");
        }
        Shard owner = owners.get(0);
        if (!map.is(rest, owner.number)) {
            return Optional.of("REST: the map names shard " + map.of(rest) + ", and shard " + owner.number + " serves");
        }
        boolean allClosed = handOvers.stream()
                .allMatch(handOver -> handOver.intent.is(rest, NONE) || handOver.target.is(rest, ENDED));
        boolean isIdle = shards.stream().allMatch(shard -> shard.out.is(rest, NONE));
        if (!allClosed || !isIdle || !homeSlot.is(rest, 0)) {
            return Optional.of("REST: a hand over never ends");
        }
        Shard other = shards.get(1 - owner.number);
        return other.name.stream().anyMatch(name -> name.isSet(rest))
                ? Optional.of("REST: shard " + other.number + " keeps names that it does not own")
                : Optional.empty();
    }

    /** Whether each hand over was committed, all is closed, and as many names were changed as may be. */
    boolean isGoodEnd(Packed state) {
        return handOvers.stream().allMatch(handOver -> handOver.intent.is(state, CLOSED_COMMITTED))
                && changes.is(state, kind.changes());
    }

    @Override
    public String toString() {
        return "hand overs of " + kind.names() + " names, " + kind.handOvers() + " of them, " + kind.changes()
                + " changes"
                + (kind.more().isEmpty() ? "" : ", " + new TreeSet<>(kind.more()))
                + (kind.without().isEmpty() ? "" : ", without " + kind.without());
    }
}
