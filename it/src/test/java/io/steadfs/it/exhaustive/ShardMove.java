package io.steadfs.it.exhaustive;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * A shard moves between two metadata servers, there and back (docs/decisions/0035-shards-move.md). Moves are cancelled, and
 * servers start anew, at each step. Questions for the rest of a store are late and doubled. A change is acknowledged once.
 *
 * <pre>
 *  node     STAYS ──► MOVING ── the host is asked for the rest ──► GIVEN ── the other one has it ──► STAYS there
 *             ▲          └─ cancelled                                 └─ cancelled
 *             └────────────────────────────────────────────────────────
 *  host     open ── given ──► closed ──► lists
 *  target   begins, empty ──► asks ──► has all, durably ──► takes ──► opens
 * </pre>
 */
final class ShardMove implements SmallModel<Packed> {
    /** What is left out, one at a time. */
    enum Without {
        /** A move begins when the host has opened the store, and what arrived is in its place. */
        BEGUN_WHEN_OPEN,
        /** The host writes into the node that the store is given. */
        GIVEN_IS_WRITTEN,
        /** It closes the store before it lists the rest. */
        CLOSED_BEFORE_LISTED,
        /** A host that starts anew does not open what is given. */
        GIVEN_IS_NOT_OPENED,
        /** The host gives only in the move that is asked about. */
        GIVEN_IN_ITS_MOVE,
        /** The target takes only in the move in which it copied. */
        TAKEN_IN_ITS_MOVE,
        /** A target that begins removes what has arrived before. */
        BEGINS_EMPTY,
        /** A store is removed when ZooKeeper confirms that another server has it. */
        REMOVED_IF_CONFIRMED,
        /** So is what has arrived. */
        ARRIVED_IS_REMOVED_IF_CONFIRMED
    }

    private static final int STAYS = 0;
    private static final int MOVING = 1;
    private static final int GIVEN = 2;

    private static final List<Integer> SERVERS = List.of(0, 1);

    private final Set<Without> without;
    private final int moves;
    private final int starts;

    private final Cell host;
    private final Cell phase;
    /** How many moves have begun. It is the number of the last one. */
    private final Cell begun;

    /** Whether the host is to open the store, and has not said that it is open. */
    private final Cell unready;

    /** How often the shard was taken. */
    private final Cell taken;

    private final Cell acknowledged;
    private final Cell started;

    private final List<Cell> open;
    /** Whether there is a store, and whether it has the change. */
    private final List<Cell> store;

    private final List<Cell> changed;
    /** Whether a whole store has arrived, and whether it has the change. */
    private final List<Cell> arrived;

    private final List<Cell> arrivedChanged;
    /** The move to this server that its process works on; 0 = none. */
    private final List<Cell> works;
    /** Whether the server has once heard that another one took the shard. */
    private final List<Cell> heardGone;
    /** Questions for the rest of the store that are on their way, by the number of the move less 1. */
    private final List<Cell> asked;
    /** Answers that the present process of the target has, or gets. */
    private final List<Cell> answered;

    /**
     * @param moves most moves
     * @param starts most starts of servers
     */
    ShardMove(int moves, int starts, Set<Without> without) {
        this.moves = moves;
        this.starts = starts;
        this.without = without;
        Cell.Maker cells = new Cell.Maker();
        host = cells.cell(2);
        phase = cells.cell(3);
        begun = cells.cell(moves + 1);
        unready = cells.cell(2);
        taken = cells.cell(moves + 1);
        acknowledged = cells.cell(2);
        started = cells.cell(starts + 1);
        open = cells.cells(2, 2);
        store = cells.cells(2, 2);
        changed = cells.cells(2, 2);
        arrived = cells.cells(2, 2);
        arrivedChanged = cells.cells(2, 2);
        works = cells.cells(2, moves + 1);
        heardGone = cells.cells(2, 2);
        asked = cells.cells(moves, 2);
        answered = cells.cells(moves, 2);
    }

    ShardMove(int moves, int starts) {
        this(moves, starts, EnumSet.noneOf(Without.class));
    }

    private boolean has(Without rule) {
        return !without.contains(rule);
    }

    @Override
    public Packed start() {
        return store.get(0).set(open.get(0).set(Packed.ZERO));
    }

    @Override
    public void steps(Packed state, BiConsumer<String, Packed> to) {
        operatorSteps(state, to);
        for (int server : SERVERS) {
            lifeSteps(server, state, to);
            targetSteps(server, state, to);
            removalSteps(server, state, to);
        }
        hostSteps(state, to);
    }

    private void operatorSteps(Packed state, BiConsumer<String, Packed> to) {
        int number = begun.of(state);
        boolean isReady = !unready.isSet(state) || !has(Without.BEGUN_WHEN_OPEN);
        if (phase.is(state, STAYS) && number < moves && isReady) {
            to.accept(
                    "move " + (number + 1) + " of the shard from server " + host.of(state) + " begins",
                    phase.with(begun.with(state, number + 1), MOVING));
        }
        if (!phase.is(state, STAYS)) {
            Packed after = phase.is(state, GIVEN) ? unready.set(state) : state;
            to.accept("move " + number + " is cancelled", phase.with(after, STAYS));
        }
    }

    private void lifeSteps(int server, Packed state, BiConsumer<String, Packed> to) {
        boolean mayOpen = host.is(state, server) && (!phase.is(state, GIVEN) || !has(Without.GIVEN_IS_NOT_OPENED));
        if (mayOpen && !open.get(server).isSet(state)) {
            Packed settled = settled(server, state);
            if (store.get(server).isSet(settled)) {
                to.accept(
                        "server " + server + " opens the store",
                        open.get(server).set(settled));
            }
        }
        boolean isOpenHost = host.is(state, server) && open.get(server).isSet(state);
        if (isOpenHost && unready.isSet(state)) {
            to.accept("server " + server + " says that the store is open", unready.with(state, 0));
        }
        if (open.get(server).isSet(state) && !acknowledged.isSet(state)) {
            Packed after = acknowledged.set(changed.get(server).set(state));
            to.accept("server " + server + " acknowledges the change", after);
        }
        if (open.get(server).isSet(state) && !host.is(state, server)) {
            to.accept(
                    "server " + server + " hears that it is not the host",
                    open.get(server).with(state, 0));
        }
        if (started.of(state) < starts) {
            Packed after = started.with(state, started.of(state) + 1);
            int move = works.get(server).of(state);
            after = Cell.zero(after, open.get(server), works.get(server));
            after = move == 0 ? after : Cell.zero(after, answered.get(move - 1));
            to.accept("server " + server + " starts anew", after);
        }
    }

    /** What has arrived takes the place of the store. */
    private Packed settled(int server, Packed state) {
        if (!arrived.get(server).isSet(state)) {
            return state;
        }
        Packed after = store.get(server).set(state);
        after = changed.get(server).with(after, arrivedChanged.get(server).of(state));
        return Cell.zero(after, arrived.get(server), arrivedChanged.get(server));
    }

    private void targetSteps(int server, Packed state, BiConsumer<String, Packed> to) {
        int other = 1 - server;
        int number = begun.of(state);
        boolean isTarget = !phase.is(state, STAYS) && host.is(state, other);
        if (isTarget && !works.get(server).is(state, number)) {
            Packed after = works.get(server).with(state, number);
            to.accept(
                    "server " + server + " begins with move " + number,
                    has(Without.BEGINS_EMPTY)
                            ? Cell.zero(after, arrived.get(server), arrivedChanged.get(server))
                            : after);
        }
        int move = works.get(server).of(state);
        if (move == 0) {
            return;
        }
        if (!asked.get(move - 1).isSet(state)) {
            to.accept(
                    "server " + server + " asks for the rest in move " + move,
                    asked.get(move - 1).set(state));
        }
        if (answered.get(move - 1).isSet(state) && store.get(other).isSet(state)) {
            Packed after = arrived.get(server).set(state);
            after = arrivedChanged.get(server).with(after, changed.get(other).of(state));
            to.accept("server " + server + " has copied all in move " + move, after);
        }
        boolean isMeant = number == move || !has(Without.TAKEN_IN_ITS_MOVE);
        boolean isGiven = phase.is(state, GIVEN) || (phase.is(state, MOVING) && !has(Without.GIVEN_IS_WRITTEN));
        if (isGiven && isMeant && host.is(state, other) && arrived.get(server).isSet(state)) {
            Packed after = unready.set(host.with(phase.with(state, STAYS), server));
            after = taken.with(after, taken.of(state) + 1);
            to.accept("server " + server + " takes the shard", works.get(server).with(after, 0));
        }
        boolean isOver = !isTarget || number != move;
        if (isOver) {
            to.accept(
                    "server " + server + " hears that move " + move + " is over",
                    works.get(server).with(state, 0));
        }
    }

    private void hostSteps(Packed state, BiConsumer<String, Packed> to) {
        int server = host.of(state);
        int number = begun.of(state);
        boolean isWritten = phase.is(state, GIVEN);
        boolean isGiven = isWritten || (phase.is(state, MOVING) && !has(Without.GIVEN_IS_WRITTEN));
        for (int move = 1; move <= moves; move++) {
            boolean isMeant = move == number || !has(Without.GIVEN_IN_ITS_MOVE);
            if (!asked.get(move - 1).isSet(state) || !isMeant || phase.is(state, STAYS)) {
                continue;
            }
            if (!isWritten && has(Without.GIVEN_IS_WRITTEN)) {
                to.accept("server " + server + " gives the store, asked in move " + move, phase.with(state, GIVEN));
            }
            boolean isClosed = !open.get(server).isSet(state) || !has(Without.CLOSED_BEFORE_LISTED);
            if (isGiven && isClosed && !answered.get(move - 1).isSet(state)) {
                to.accept(
                        "server " + server + " lists the rest in move " + move,
                        answered.get(move - 1).set(state));
            }
            if (isGiven && open.get(server).isSet(state)) {
                to.accept(
                        "server " + server + " closes the store",
                        open.get(server).with(state, 0));
            }
        }
    }

    private void removalSteps(int server, Packed state, BiConsumer<String, Packed> to) {
        boolean isHost = host.is(state, server);
        boolean isTarget = !isHost && !phase.is(state, STAYS);
        boolean isElsewhere = !isHost && !isTarget;
        if (isElsewhere
                && begun.isSet(state)
                && !heardGone.get(server).isSet(state)
                && store.get(server).isSet(state)) {
            to.accept(
                    "server " + server + " hears that another one took the shard",
                    heardGone.get(server).set(state));
        }
        if (open.get(server).isSet(state)) {
            return;
        }
        boolean mayRemove = heardGone.get(server).isSet(state) && (isElsewhere || !has(Without.REMOVED_IF_CONFIRMED));
        if (mayRemove && store.get(server).isSet(state)) {
            to.accept(
                    "server " + server + " removes its store",
                    Cell.zero(state, store.get(server), changed.get(server), heardGone.get(server)));
        }
        boolean mayRemoveArrived =
                works.get(server).is(state, 0) && (isElsewhere || !has(Without.ARRIVED_IS_REMOVED_IF_CONFIRMED));
        if (mayRemoveArrived && arrived.get(server).isSet(state)) {
            to.accept(
                    "server " + server + " removes what has arrived",
                    Cell.zero(state, arrived.get(server), arrivedChanged.get(server)));
        }
    }

    @Override
    public Optional<String> wrong(Packed state) {
        if (open.stream().allMatch(each -> each.isSet(state))) {
            return Optional.of("two servers have the store open");
        }
        int server = host.of(state);
        Packed settled = settled(server, state);
        if (!store.get(server).isSet(settled)) {
            return Optional.of("the host has no store");
        }
        if (acknowledged.isSet(state) && !changed.get(server).isSet(settled)) {
            return Optional.of("an acknowledged change is lost");
        }
        return Optional.empty();
    }

    /** The shard has moved there and back, with the change, and serves. */
    boolean isBack(Packed state) {
        return host.is(state, 0)
                && taken.is(state, 2)
                && open.get(0).isSet(state)
                && changed.get(0).isSet(state)
                && !store.get(1).isSet(state);
    }

    /** A move was cancelled when the store was given, and another one was made. */
    boolean isMovedAfterACancelledMove(Packed state) {
        return taken.is(state, 1)
                && begun.is(state, 2)
                && open.get(1).isSet(state)
                && answered.get(0).isSet(state)
                && changed.get(1).isSet(state);
    }

    @Override
    public String toString() {
        return "a move of a shard, " + moves + " moves, " + starts + " starts, without " + without;
    }
}
