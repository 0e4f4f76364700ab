package io.steadfs.it.exhaustive;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * Directories that move to other parents at the same time, each move driven by a shard of its own
 * (docs/decisions/0032-moves-side-by-side.md). Number 0 is the root. A name says where a directory is. Its row says so
 * too, and hears of a move a little later.
 *
 * <pre>
 *  IDLE ── names (moved, target) ──► LOOKS: up from the target, row by row, or by names at one moment
 *    ▲                                 │ at the root
 *    │                               HOLDS: the name of the moved directory is locked
 *    │                                 │ no admitted move is in its way
 *    │                               ADMITTED ── looks once more ──► the same: the name moves: DECIDED
 *    │                                 │ others                                │ the row hears of it
 *    └───── gives up ◄─────────────────┘          freed ◄───────────────── FINISHED
 * </pre>
 *
 * A move by rows looks at one row at a time, and others move between. A move by names (a whole path) looks at all of them
 * at one moment, and waits for a locked name.
 */
final class DirectoryMoves implements SmallModel<Packed> {
    /** What is left out, one at a time. */
    enum Without {
        /** A move waits if an admitted one moves a directory above its target. */
        OTHER_MOVES_ABOVE_ME,
        /** A move waits if its directory is above the target of an admitted one, so that what that one looked up stays. */
        I_MOVE_ABOVE_OTHER,
        /** Two moves of one directory come one after the other. */
        ONE_MOVE_OF_A_DIRECTORY,
        /** What is above the target is looked up again when the move is admitted. */
        SECOND_LOOK,
        /** A move counts until the row has heard of it. */
        FREED_LAST,
        /** The second look ends where it meets a directory that was not named. */
        WITHIN_WHAT_IS_NAMED
    }

    /**
     * @param directories below the root
     * @param byNames for each mover, whether it looks by names
     * @param moves most moves of a mover
     */
    record Kind(int directories, List<Boolean> byNames, int moves, Set<Without> without) {
        Kind(int directories, List<Boolean> byNames, int moves) {
            this(directories, byNames, moves, EnumSet.noneOf(Without.class));
        }

        Kind without(Without one) {
            return new Kind(directories, byNames, moves, EnumSet.of(one));
        }
    }

    private static final int IDLE = 0;
    private static final int LOOKS = 1;
    private static final int HOLDS = 2;
    private static final int ADMITTED = 3;
    private static final int DECIDED = 4;
    private static final int FINISHED = 5;
    private static final int FREED = 6;

    private static final int ROOT = 0;

    /**
     * What a mover has.
     *
     * @param at the row that it looks at next
     * @param above set of what it met on the first look, a bit for each directory
     * @param again the same, of the second look
     */
    private record Mover(
            boolean byNames, Cell phase, Cell moved, Cell target, Cell at, Cell above, Cell again, Cell left) {
        Mover(Cell.Maker cells, boolean byNames, int all, int moves) {
            this(
                    byNames,
                    cells.cell(7),
                    cells.cell(all),
                    cells.cell(all),
                    cells.cell(all),
                    cells.cell(1 << all),
                    cells.cell(1 << all),
                    cells.cell(moves + 1));
        }

        boolean isAdmitted(Packed state) {
            return phase.of(state) >= ADMITTED && phase.of(state) < FREED;
        }

        boolean hasLock(Packed state, int directory) {
            return phase.of(state) >= HOLDS && phase.of(state) < DECIDED && moved.is(state, directory);
        }
    }

    private final Kind kind;
    private final int all;
    private final List<Cell> name;
    private final List<Cell> row;
    private final List<Mover> movers = new ArrayList<>();
    // What must never be.
    private final Cell falselyRefused;
    private final Cell round;

    DirectoryMoves(Kind kind) {
        this.kind = kind;
        this.all = kind.directories() + 1;
        Cell.Maker cells = new Cell.Maker();
        name = cells.cells(all, all);
        row = cells.cells(all, all);
        falselyRefused = cells.cell(2);
        round = cells.cell(2);
        kind.byNames().forEach(byNames -> movers.add(new Mover(cells, byNames, all, kind.moves())));
    }

    @Override
    public Packed start() {
        Packed state = Packed.ZERO;
        for (Mover mover : movers) {
            state = mover.left.with(state, kind.moves());
        }
        return state;
    }

    private boolean has(Without rule) {
        return !kind.without().contains(rule);
    }

    @Override
    public void steps(Packed state, BiConsumer<String, Packed> to) {
        for (int i = 0; i < movers.size(); i++) {
            int number = i;
            steps(movers.get(i), state, (what, after) -> to.accept("mover " + number + " " + what, after));
        }
    }

    private void steps(Mover mover, Packed state, BiConsumer<String, Packed> to) {
        switch (mover.phase.of(state)) {
            case IDLE -> begin(mover, state, to);
            case LOOKS -> look(mover, mover.above, state, LOOKS, to);
            case HOLDS -> {
                giveUp(mover, state, to);
                if (mayBeAdmitted(mover, state)) {
                    Packed after = mover.phase.with(state, ADMITTED);
                    after = mover.at.with(after, mover.target.of(state));
                    to.accept("is admitted", mover.again.with(after, 0));
                }
            }
            case ADMITTED -> {
                giveUp(mover, state, to);
                if (!has(Without.SECOND_LOOK) || mover.again.of(state) == mover.above.of(state)) {
                    decide(mover, state, to);
                } else {
                    look(mover, mover.again, state, ADMITTED, to);
                }
            }
            case DECIDED -> {
                if (has(Without.FREED_LAST)) {
                    to.accept("finishes", mover.phase.with(finished(mover, state), FINISHED));
                } else {
                    to.accept("is freed", mover.phase.with(state, FREED));
                }
            }
            case FINISHED -> to.accept("is freed", idle(mover, state));
            default -> to.accept("finishes", idle(mover, finished(mover, state)));
        }
    }

    private void begin(Mover mover, Packed state, BiConsumer<String, Packed> to) {
        if (mover.left.is(state, 0)) {
            return;
        }
        for (int moved = 1; moved < all; moved++) {
            for (int target = 0; target < all; target++) {
                if (target != moved && !name.get(moved).is(state, target)) {
                    Packed after = mover.phase.with(state, LOOKS);
                    after = mover.left.with(after, mover.left.of(state) - 1);
                    after = mover.moved.with(mover.target.with(after, target), moved);
                    to.accept("moves " + moved + " to " + target, mover.above.with(mover.at.with(after, target), 0));
                }
            }
        }
    }

    /** One row, or all names at once. */
    private void look(Mover mover, Cell seen, Packed state, int phase, BiConsumer<String, Packed> to) {
        if (mover.byNames) {
            int above = byNames(mover, state);
            if (above >= 0) {
                looked(mover, seen.with(state, above), above, to);
            }
            return;
        }
        int at = mover.at.of(state);
        int met = seen.of(state) | 1 << at;
        Packed after = seen.with(state, met);
        boolean isNamed = (mover.above.of(state) & 1 << at) != 0;
        if (phase == ADMITTED && !isNamed && has(Without.WITHIN_WHAT_IS_NAMED)) {
            to.accept("meets another directory", idle(mover, state));
        } else if (phase == ADMITTED && mover.moved.is(state, at)) {
            to.accept("is refused", refused(mover, state));
        } else if (at == ROOT) {
            looked(mover, after, met, to);
        } else if ((seen.of(state) & 1 << at) != 0) {
            to.accept("goes round", idle(mover, phase == ADMITTED ? round.set(state) : state));
        } else {
            to.accept(
                    "looks at the row of " + at,
                    mover.at.with(after, row.get(at).of(state)));
        }
    }

    /** What is above the target by its name; -1 if a locked name is on the way, or a circle. */
    private int byNames(Mover mover, Packed state) {
        int above = 1;
        for (int at = mover.target.of(state); at != ROOT; at = name.get(at).of(state)) {
            boolean isLocked = false;
            for (Mover other : movers) {
                isLocked |= !other.equals(mover) && other.hasLock(state, at);
            }
            if (isLocked || (above & 1 << at) != 0) {
                return -1;
            }
            above |= 1 << at;
        }
        return above;
    }

    /** By names, what is met is true at this moment. By rows it may be late, so nothing is refused by a first look. */
    private void looked(Mover mover, Packed state, int above, BiConsumer<String, Packed> to) {
        if (mover.byNames && (above & 1 << mover.moved.of(state)) != 0) {
            to.accept("is refused", refused(mover, state));
        } else if (mover.phase.is(state, ADMITTED)) {
            boolean isSame = mover.again.of(state) == mover.above.of(state);
            to.accept("has looked again", isSame ? state : idle(mover, state));
        } else if (!isLocked(mover, state)) {
            to.accept("holds the name", mover.phase.with(state, HOLDS));
        }
    }

    /** Whoever is refused must be right: the target is below the directory by its name. */
    private Packed refused(Mover mover, Packed state) {
        boolean isBelow = (above(mover.target.of(state), state) & 1 << mover.moved.of(state)) != 0;
        return idle(mover, isBelow ? state : falselyRefused.set(state));
    }

    private boolean isLocked(Mover mover, Packed state) {
        for (Mover other : movers) {
            if (!other.equals(mover) && other.hasLock(state, mover.moved.of(state))) {
                return true;
            }
        }
        return false;
    }

    private boolean mayBeAdmitted(Mover mover, Packed state) {
        for (Mover other : movers) {
            if (other.equals(mover) || !other.isAdmitted(state)) {
                continue;
            }
            boolean aboveMe = (mover.above.of(state) & 1 << other.moved.of(state)) != 0;
            boolean aboveOther = (other.above.of(state) & 1 << mover.moved.of(state)) != 0;
            boolean isSame = mover.moved.of(state) == other.moved.of(state);
            if ((aboveMe && has(Without.OTHER_MOVES_ABOVE_ME))
                    || (aboveOther && has(Without.I_MOVE_ABOVE_OTHER))
                    || (isSame && has(Without.ONE_MOVE_OF_A_DIRECTORY))) {
                return false;
            }
        }
        return true;
    }

    /** By names the look is of this moment. */
    private void decide(Mover mover, Packed state, BiConsumer<String, Packed> to) {
        if (mover.byNames && has(Without.SECOND_LOOK) && byNames(mover, state) != mover.above.of(state)) {
            return;
        }
        Packed after = name.get(mover.moved.of(state)).with(state, mover.target.of(state));
        to.accept("decides", mover.phase.with(after, DECIDED));
    }

    private Packed finished(Mover mover, Packed state) {
        return row.get(mover.moved.of(state)).with(state, mover.target.of(state));
    }

    private void giveUp(Mover mover, Packed state, BiConsumer<String, Packed> to) {
        to.accept("gives up", idle(mover, state));
    }

    /** What an idle mover has does not matter: equal states are one. */
    private static Packed idle(Mover mover, Packed state) {
        Packed after = mover.phase.with(state, IDLE);
        after = mover.moved.with(mover.target.with(after, 0), 0);
        return mover.at.with(mover.above.with(mover.again.with(after, 0), 0), 0);
    }

    @Override
    public Optional<String> wrong(Packed state) {
        for (int directory = 1; directory < all; directory++) {
            int at = directory;
            for (int steps = 0; at != ROOT; steps++) {
                if (steps == all) {
                    return Optional.of("directory " + directory + " is below itself");
                }
                at = name.get(at).of(state);
            }
        }
        if (falselyRefused.isSet(state)) {
            return Optional.of("a move was refused whose target was not below its directory");
        }
        if (round.isSet(state)) {
            return Optional.of("the rows of an admitted move go round");
        }
        for (int i = 0; i < movers.size(); i++) {
            Mover mover = movers.get(i);
            boolean hasLooked = mover.phase.is(state, ADMITTED) && mover.again.of(state) == mover.above.of(state);
            if (hasLooked && above(mover.target.of(state), state) != mover.above.of(state)) {
                return Optional.of("what is above the target of mover " + i + " has changed since it looked");
            }
        }
        boolean isQuiet = movers.stream().allMatch(mover -> mover.phase.is(state, IDLE));
        for (int directory = 1; isQuiet && directory < all; directory++) {
            if (name.get(directory).of(state) != row.get(directory).of(state)) {
                return Optional.of("the row of " + directory + " says that its parent is "
                        + row.get(directory).of(state));
            }
        }
        return Optional.empty();
    }

    /** A directory and all that are above it by their names, in a state without circles. */
    private int above(int directory, Packed state) {
        int above = 1;
        for (int at = directory; at != ROOT; at = name.get(at).of(state)) {
            above |= 1 << at;
        }
        return above;
    }

    /** Whether two moves were made, so that the directories are one below the other. */
    boolean isGoodEnd(Packed state) {
        return movers.stream().allMatch(mover -> mover.phase.is(state, IDLE)) && above(1, state) == (1 << all) - 1;
    }

    @Override
    public String toString() {
        return "moves of " + kind.directories() + " directories by " + movers.size() + " movers, "
                + kind.byNames().stream().filter(each -> each).count() + " of them by names, " + kind.moves() + " each"
                + (kind.without().isEmpty() ? "" : ", without " + kind.without());
    }
}
