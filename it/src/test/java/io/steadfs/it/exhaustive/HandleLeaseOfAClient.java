package io.steadfs.it.exhaustive;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * One lease of some handles, from the moment when its holder knows of it to its end: an IO server, two shards and the client
 * that holds it and names its handles in files that it creates.
 *
 * <p>Everything happens at any time: the lease expires whether or not its holder knows, a message that was sent once may be
 * received never, late and again, a client dies, an IO server forgets who answered it. Files are deleted at any time. A shard
 * refuses a create for a reason of its own at any time, too.
 *
 * <pre>
 *  IO server, lease    OPEN ── expires ──► REVOKING ── all shards answered the fence ──► CLOSED
 *             handle   UNUSED ── write of file f while OPEN, or a shard's word that f has it ──► USED by f ── removed ──► RETIRED
 *                        └────── given back, or unused when the lease is closed ────────────────────────────────────────────┘
 *  shard,     file     UNDECIDED ── create, not fenced ──► THERE with h ── deleted ──► DELETED, remove h
 *                        └───────── create, fenced or for another reason ──► REFUSED, for ever
 * </pre>
 */
final class HandleLeaseOfAClient implements SmallModel<Packed> {
    /** What is left out, one at a time. */
    enum Without {
        /** A shard answers what is in use, and goes on taking handles of the range. */
        FENCE,
        /** The IO server closes the lease when one shard answered. */
        FENCE_ON_EVERY_SHARD,
        /** A write does not compare the file that the datafile belongs to. */
        ATTACH,
        /** The holder's word that its lease is over closes it. */
        FENCE_AFTER_THE_HOLDERS_WORD,
        /** A handle whose datafile was never made is free when the lease expires. */
        FENCE_OF_LAZY_HANDLES,
        /** A client gives back what it named in a create that nobody answered. */
        KEEPING_OF_NAMED_HANDLES,
        /** A shard that refused a create may do it when it comes once more. */
        RECORD_OF_REFUSALS,
        /** A shard does a create that comes once more when the file is deleted. */
        RECORD_OF_CREATES,
        /** A removed datafile's handle is as if it had never been used. */
        TOMBSTONE
    }

    /** @param faithful whether the client names a handle in one file only, as it must */
    record Kind(int files, boolean faithful, Set<Without> without) {
        Kind(int files, boolean faithful) {
            this(files, faithful, EnumSet.noneOf(Without.class));
        }

        Kind without(Without one) {
            return new Kind(files, faithful, EnumSet.of(one));
        }
    }

    private static final int HANDLES = 2;
    private static final int SHARDS = 2;

    private static final int OPEN = 0;
    private static final int REVOKING = 1;
    private static final int CLOSED = 2;

    private static final int UNUSED = 0;
    private static final int RETIRED = 1;
    /** And the file's number. */
    private static final int USED = 2;

    private static final int IN_POOL = 0;
    private static final int NAMED = 1;
    private static final int AWAY = 2;

    private static final int NOT_ASKED = 0;
    private static final int KNOWN_REFUSED = 1;
    /** And the handle's number. */
    private static final int ASKED = 2;

    private static final int DONE = ASKED + HANDLES;

    private static final int UNDECIDED = 0;
    private static final int REFUSED = 1;
    /** And the handle's number. */
    private static final int THERE = 2;

    private static final int DELETED = THERE + HANDLES;

    private final Kind kind;
    private final Cell.Maker cells = new Cell.Maker();

    // The IO server: durable, but for the answers.
    private final Cell lease = cells.cell(3);
    private final List<Cell> handle;
    private final List<Cell> heard = cells.cells(SHARDS, 2);

    // The client: in memory.
    private final Cell dead = cells.cell(2);
    private final List<Cell> holding = cells.cells(HANDLES, 3);
    private final List<Cell> asked;

    // The shards: durable.
    private final List<Cell> file;
    private final List<Cell> fenced = cells.cells(SHARDS, 2);

    // Messages: sent once, there for ever.
    private final List<List<Cell>> createSent;
    private final List<Cell> doneSent;
    private final List<Cell> refusedSent;
    private final List<List<Cell>> writeSent;
    private final List<List<Cell>> inUseSent;
    private final List<List<Cell>> removeSent;
    private final List<List<Cell>> answerSent = new ArrayList<>();
    private final List<Cell> giveBackSent = cells.cells(HANDLES, 2);
    private final Cell overSent = cells.cell(2);

    /** Only for what is looked at: whose bytes are in a datafile, what was removed, what was named twice. */
    private final List<List<Cell>> bytes;

    private final List<Cell> removed;
    private final List<Cell> namedTwice = cells.cells(HANDLES, 2);

    HandleLeaseOfAClient(Kind kind) {
        this.kind = kind;
        int files = kind.files();
        handle = cells.cells(HANDLES, USED + files);
        asked = cells.cells(files, DONE + HANDLES);
        file = cells.cells(files, DELETED + HANDLES);
        createSent = table(files);
        doneSent = cells.cells(files, 2);
        refusedSent = cells.cells(files, 2);
        writeSent = table(files);
        inUseSent = table(files);
        removeSent = table(files);
        for (int shard = 0; shard < SHARDS; shard++) {
            answerSent.add(cells.cells(answers(shard), 2));
        }
        bytes = table(files);
        removed = cells.cells(files, 2);
    }

    private List<List<Cell>> table(int files) {
        List<List<Cell>> all = new ArrayList<>();
        for (int f = 0; f < files; f++) {
            all.add(cells.cells(HANDLES, 2));
        }
        return all;
    }

    private boolean without(Without one) {
        return kind.without().contains(one);
    }

    /** Files are dealt to the shards in turn. */
    private static int shardOf(int f) {
        return f % SHARDS;
    }

    @Override
    public Packed start() {
        return Packed.ZERO;
    }

    @Override
    public void steps(Packed state, BiConsumer<String, Packed> to) {
        if (!dead.isSet(state)) {
            client(state, to);
        }
        for (int shard = 0; shard < SHARDS; shard++) {
            shard(state, shard, to);
        }
        for (int f = 0; f < kind.files(); f++) {
            file(state, f, to);
        }
        ioServer(state, to);
    }

    // The client.

    private void client(Packed state, BiConsumer<String, Packed> to) {
        to.accept("the client dies", dead.set(state));
        for (int h = 0; h < HANDLES; h++) {
            Cell held = holding.get(h);
            boolean mayNotKnow = without(Without.KEEPING_OF_NAMED_HANDLES) && isAskedFor(state, h);
            if (held.is(state, IN_POOL) || mayNotKnow) {
                to.accept(
                        "the client gives back handle " + h, giveBackSent.get(h).set(held.with(state, AWAY)));
            }
        }
        for (int f = 0; f < kind.files(); f++) {
            client(state, f, to);
        }
        if (without(Without.FENCE_AFTER_THE_HOLDERS_WORD)) {
            Packed after = overSent.set(state);
            for (Cell held : holding) {
                after = held.is(after, IN_POOL) ? held.with(after, AWAY) : after;
            }
            to.accept("the client says that its lease is over", after);
        }
    }

    private boolean isAskedFor(Packed state, int h) {
        return holding.get(h).is(state, NAMED) && asked.stream().anyMatch(one -> one.is(state, ASKED + h));
    }

    private void client(Packed state, int f, BiConsumer<String, Packed> to) {
        Cell mine = asked.get(f);
        // Files of one shard are alike: asked for in order, so that there are fewer states.
        boolean earlierAsked = f < SHARDS || !asked.get(f - SHARDS).is(state, NOT_ASKED);
        for (int h = 0; h < HANDLES; h++) {
            Cell held = holding.get(h);
            boolean free = held.is(state, IN_POOL);
            boolean again = !kind.faithful() && held.is(state, NAMED);
            if (mine.is(state, NOT_ASKED) && earlierAsked && (free || again)) {
                Packed after = createSent.get(f).get(h).set(held.with(mine.with(state, ASKED + h), NAMED));
                to.accept(
                        "the client asks for file " + f + " with handle " + h,
                        again ? namedTwice.get(h).set(after) : after);
            }
            if (mine.is(state, ASKED + h) && doneSent.get(f).isSet(state)) {
                to.accept("the client hears that file " + f + " is made", mine.with(state, DONE + h));
            }
            if (mine.is(state, ASKED + h) && refusedSent.get(f).isSet(state)) {
                Packed after = mine.with(state, KNOWN_REFUSED);
                boolean kept = held.is(state, NAMED) && !namedTwice.get(h).isSet(state);
                to.accept("the client hears that file " + f + " is refused", kept ? held.with(after, IN_POOL) : after);
            }
            if (mine.is(state, DONE + h)) {
                to.accept(
                        "the client writes to handle " + h + " of file " + f,
                        writeSent.get(f).get(h).set(state));
            }
        }
    }

    // A shard.

    private void shard(Packed state, int shard, BiConsumer<String, Packed> to) {
        if (lease.is(state, REVOKING)) {
            Packed after = without(Without.FENCE) ? state : fenced.get(shard).set(state);
            int uses = uses(state, shard);
            to.accept(
                    "shard " + shard + " receives the fence",
                    answerSent.get(shard).get(uses).set(after));
        }
    }

    /** What files of the shard have, as one number: base 1 + handles, a digit for each file. */
    private int uses(Packed state, int shard) {
        int uses = 0;
        for (int f = kind.files() - 1; f >= 0; f--) {
            if (shardOf(f) == shard) {
                int at = file.get(f).of(state);
                boolean there = at >= THERE && at < DELETED;
                uses = uses * (1 + HANDLES) + (there ? 1 + at - THERE : 0);
            }
        }
        return uses;
    }

    private int answers(int shard) {
        int answers = 1;
        for (int f = 0; f < kind.files(); f++) {
            answers *= shardOf(f) == shard ? 1 + HANDLES : 1;
        }
        return answers;
    }

    private void file(Packed state, int f, BiConsumer<String, Packed> to) {
        Cell mine = file.get(f);
        for (int h = 0; h < HANDLES; h++) {
            boolean decided = !mine.is(state, UNDECIDED);
            boolean forgotten = without(Without.RECORD_OF_CREATES) && mine.is(state, DELETED + h);
            if (createSent.get(f).get(h).isSet(state) && (!decided || forgotten)) {
                create(state, f, h, to);
            }
            if (mine.is(state, THERE + h)) {
                to.accept(
                        "the shard tells that file " + f + " has handle " + h,
                        inUseSent.get(f).get(h).set(state));
                to.accept("file " + f + " is deleted", removeSent.get(f).get(h).set(mine.with(state, DELETED + h)));
            }
        }
    }

    private void create(Packed state, int f, int h, BiConsumer<String, Packed> to) {
        Cell mine = file.get(f);
        Packed refused = refusedSent.get(f).set(state);
        boolean forgets = without(Without.RECORD_OF_REFUSALS);
        to.accept("shard " + shardOf(f) + " refuses file " + f, forgets ? refused : mine.with(refused, REFUSED));
        if (!fenced.get(shardOf(f)).isSet(state)) {
            to.accept(
                    "shard " + shardOf(f) + " makes file " + f + " with handle " + h,
                    doneSent.get(f).set(mine.with(state, THERE + h)));
        }
    }

    // The IO server.

    private void ioServer(Packed state, BiConsumer<String, Packed> to) {
        if (lease.is(state, OPEN)) {
            to.accept("the lease expires", afterExpiry(state));
        }
        to.accept("the IO server starts anew", Cell.zero(state, heard));
        for (int h = 0; h < HANDLES; h++) {
            if (giveBackSent.get(h).isSet(state) && handle.get(h).is(state, UNUSED)) {
                to.accept("handle " + h + " comes back", handle.get(h).with(state, RETIRED));
            }
            for (int f = 0; f < kind.files(); f++) {
                ioServer(state, f, h, to);
            }
        }
        if (overSent.isSet(state) && !lease.is(state, CLOSED)) {
            to.accept("the IO server receives that the lease is over", afterClose(state));
        }
        if (lease.is(state, REVOKING)) {
            answers(state, to);
        }
    }

    private Packed afterExpiry(Packed state) {
        Packed after = lease.with(state, REVOKING);
        for (int h = 0; h < HANDLES; h++) {
            boolean free =
                    without(Without.FENCE_OF_LAZY_HANDLES) && handle.get(h).is(state, UNUSED);
            after = free ? handle.get(h).with(after, RETIRED) : after;
        }
        return after;
    }

    private Packed afterClose(Packed state) {
        Packed after = lease.with(state, CLOSED);
        for (Cell one : handle) {
            after = one.is(after, UNUSED) ? one.with(after, RETIRED) : after;
        }
        return after;
    }

    private void ioServer(Packed state, int f, int h, BiConsumer<String, Packed> to) {
        Cell mine = handle.get(h);
        boolean unused = mine.is(state, UNUSED);
        boolean ofTheFile = mine.is(state, USED + f);
        if (writeSent.get(f).get(h).isSet(state)) {
            boolean first = unused && lease.is(state, OPEN);
            boolean uncompared = without(Without.ATTACH) && !mine.is(state, RETIRED);
            if (first || ofTheFile || uncompared) {
                Packed after = bytes.get(f).get(h).set(state);
                to.accept(
                        "the IO server stores bytes of file " + f + " in handle " + h,
                        first ? mine.with(after, USED + f) : after);
            }
        }
        if (inUseSent.get(f).get(h).isSet(state) && unused) {
            to.accept("the IO server receives that file " + f + " has handle " + h, mine.with(state, USED + f));
        }
        if (removeSent.get(f).get(h).isSet(state) && (unused || ofTheFile)) {
            int after = without(Without.TOMBSTONE) && !lease.is(state, CLOSED) ? UNUSED : RETIRED;
            to.accept("the IO server removes handle " + h, removed.get(f).set(mine.with(state, after)));
        }
    }

    private void answers(Packed state, BiConsumer<String, Packed> to) {
        for (int shard = 0; shard < SHARDS; shard++) {
            for (int uses = 0; uses < answers(shard); uses++) {
                if (answerSent.get(shard).get(uses).isSet(state)) {
                    to.accept(
                            "the IO server receives the answer of shard " + shard + inWords(uses, shard),
                            afterAnswer(state, shard, uses));
                }
            }
        }
    }

    private Packed afterAnswer(Packed state, int shard, int uses) {
        Packed after = heard.get(shard).set(state);
        int left = uses;
        for (int f = shard; f < kind.files(); f += SHARDS) {
            int h = left % (1 + HANDLES) - 1;
            left /= 1 + HANDLES;
            if (h >= 0 && handle.get(h).is(after, UNUSED)) {
                after = handle.get(h).with(after, USED + f);
            }
        }
        Packed now = after;
        boolean enough = without(Without.FENCE_ON_EVERY_SHARD) || heard.stream().allMatch(one -> one.isSet(now));
        return enough ? afterClose(after) : after;
    }

    private String inWords(int uses, int shard) {
        List<String> words = new ArrayList<>();
        int left = uses;
        for (int f = shard; f < kind.files(); f += SHARDS) {
            int h = left % (1 + HANDLES) - 1;
            left /= 1 + HANDLES;
            if (h >= 0) {
                words.add("file " + f + " has handle " + h);
            }
        }
        return words.isEmpty() ? ": nothing is in use" : ": " + String.join(", ", words);
    }

    // What must never be.

    @Override
    public Optional<String> wrong(Packed state) {
        for (int h = 0; h < HANDLES; h++) {
            int writers = 0;
            for (int f = 0; f < kind.files(); f++) {
                writers += bytes.get(f).get(h).of(state);
            }
            if (writers > 1) {
                return Optional.of("V4: two files have bytes in handle " + h);
            }
            for (int f = 0; f < kind.files(); f++) {
                Optional<String> wrong = wrong(state, f, h);
                if (wrong.isPresent()) {
                    return wrong;
                }
            }
        }
        return wrongAtLast(atLast(state));
    }

    /** What comes of a state when nothing new is asked for, and nothing is lost any more. */
    private Packed atLast(Packed state) {
        Packed after = lease.is(state, OPEN) ? afterExpiry(state) : state;
        for (int shard = 0; shard < SHARDS && lease.is(after, REVOKING); shard++) {
            after = afterAnswer(
                    without(Without.FENCE) ? after : fenced.get(shard).set(after), shard, uses(after, shard));
        }
        for (int f = 0; f < kind.files(); f++) {
            for (int h = 0; h < HANDLES; h++) {
                boolean asked = removeSent.get(f).get(h).isSet(after);
                after = asked && handle.get(h).is(after, USED + f)
                        ? handle.get(h).with(after, RETIRED)
                        : after;
            }
        }
        return after;
    }

    private Optional<String> wrongAtLast(Packed state) {
        if (!lease.is(state, CLOSED)) {
            return Optional.of("V11: the lease is never closed");
        }
        for (int h = 0; h < HANDLES; h++) {
            int user = handle.get(h).of(state) - USED;
            if (handle.get(h).is(state, UNUSED) || (user >= 0 && !file.get(user).is(state, THERE + h))) {
                return Optional.of("V5: nobody will ever look at handle " + h + " again");
            }
        }
        return Optional.empty();
    }

    private Optional<String> wrong(Packed state, int f, int h) {
        int at = handle.get(h).of(state);
        boolean mayMiss = namedTwice.get(h).isSet(state) && !bytes.get(f).get(h).isSet(state);
        if (file.get(f).is(state, THERE + h) && !mayMiss && at != UNUSED && at != USED + f) {
            return Optional.of("V2: file " + f + " is there, and its handle " + h
                    + (at == RETIRED ? " is reclaimed" : " is not its"));
        }
        if (at == USED + f && removed.get(f).isSet(state)) {
            return Optional.of("V5: handle " + h + " was removed with file " + f + ", and is back for ever");
        }
        boolean made = file.get(f).is(state, THERE + h) || file.get(f).is(state, DELETED + h);
        if (at == USED + f && !made) {
            return Optional.of("V5: handle " + h + " is in use by file " + f + ", which does not have it");
        }
        return Optional.empty();
    }

    @Override
    public String toString() {
        return kind.files() + " files" + (kind.faithful() ? "" : ", a client that names a handle twice")
                + (kind.without().isEmpty()
                        ? ""
                        : ", without " + Arrays.toString(kind.without().toArray()));
    }
}
