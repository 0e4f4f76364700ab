package io.steadfs.it.exhaustive;

import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiConsumer;

/**
 * A shard is added while an IO server ends a lease (docs/decisions/0034-more-shards.md). A client leases one handle. It may
 * name the handle in a file of the old shard, and of the new one when that serves, at any moment: the client may have stood
 * still for longer than its lease, and a request may arrive late and again. The IO server may lose ZooKeeper, also after its session there has ended, and may start
 * anew. It goes on with its map.
 *
 * <pre>
 *  format      ONE ──► JOINING ── new shard has learnt the fences, all that are alive count it ──► SERVING
 *  IO server   OPEN ──► REVOKING ── shards fence and answer ── counts ── counted shards have answered ──► RECLAIMED
 *                           └── an answer says that a file has the handle ──► USED
 * </pre>
 */
final class ShardAddition implements SmallModel<Packed> {
    /** What is left out, one at a time. */
    enum Without {
        /** The shards are counted by ZooKeeper, and not by the IO server's map. */
        COUNTED_BY_ZOOKEEPER,
        /** They are counted after the known ones have answered. */
        COUNTED_AFTER_THE_FENCES,
        /** A shard that was counted must answer. */
        COUNTED_ONES_ANSWER,
        /** The new shard learns the fences of the other one before it serves. */
        FENCES_ARE_LEARNT,
        /** It learns them when all can know that it joins. */
        LEARNT_WHILE_JOINING,
        /** It serves when the servers that are alive have said that they count it. */
        ALIVE_ONES_COUNT
    }

    private static final int ONE = 0;
    private static final int JOINING = 1;
    private static final int SERVING = 2;

    private static final int OPEN = 0;
    private static final int REVOKING = 1;
    private static final int RECLAIMED = 2;
    private static final int USED = 3;

    /** The IO server reaches ZooKeeper. */
    private static final int REACHES = 0;
    /** It does not, and counts as alive. */
    private static final int CUT = 1;
    /** It does not, and counts as dead. */
    private static final int EXPIRED = 2;

    private static final int NO_ANSWER = 0;
    private static final int NOT_LISTED = 1;
    private static final int LISTED = 2;

    private static final int OLD = 0;
    private static final int NEW = 1;
    private static final List<Integer> SHARDS = List.of(OLD, NEW);

    private final Set<Without> without;
    private final int starts;

    private final Cell format;
    private final Cell learnt;
    private final Cell map;
    private final Cell says;
    private final Cell zooKeeper;
    private final Cell phase;
    /** How many shards were counted; 0 = they were not. */
    private final Cell counted;

    private final Cell started;
    /** Requests of the client that are on their way, by shard. */
    private final List<Cell> creates;
    /** Requests of the IO server that are on their way. */
    private final List<Cell> fences;
    /** Answers that are on their way. */
    private final List<Cell> answers;

    private final List<Cell> answered;
    private final List<Cell> fenced;
    private final List<Cell> listed;

    /** @param starts most starts of the IO server */
    ShardAddition(int starts, Set<Without> without) {
        this.starts = starts;
        this.without = without;
        Cell.Maker cells = new Cell.Maker();
        format = cells.cell(3);
        learnt = cells.cell(2);
        map = cells.cell(3);
        says = cells.cell(2);
        zooKeeper = cells.cell(3);
        phase = cells.cell(4);
        counted = cells.cell(3);
        started = cells.cell(starts + 1);
        creates = cells.cells(2, 2);
        fences = cells.cells(2, 2);
        answers = cells.cells(2, 3);
        answered = cells.cells(2, 2);
        fenced = cells.cells(2, 2);
        listed = cells.cells(2, 2);
    }

    ShardAddition(int starts) {
        this(starts, EnumSet.noneOf(Without.class));
    }

    private boolean has(Without rule) {
        return !without.contains(rule);
    }

    @Override
    public Packed start() {
        return Packed.ZERO;
    }

    @Override
    public void steps(Packed state, BiConsumer<String, Packed> to) {
        formatSteps(state, to);
        ioServerSteps(state, to);
        endSteps(state, to);
        for (int shard : SHARDS) {
            clientSteps(shard, state, to);
            shardSteps(shard, state, to);
        }
    }

    private void formatSteps(Packed state, BiConsumer<String, Packed> to) {
        if (format.is(state, ONE)) {
            to.accept("the shard joins", format.with(state, JOINING));
        }
        boolean mayLearn = format.is(state, JOINING) || (format.is(state, ONE) && !has(Without.LEARNT_WHILE_JOINING));
        if (mayLearn && !learnt.isSet(state)) {
            Packed after = learnt.set(state);
            boolean isFenced = fenced.get(OLD).isSet(state) && has(Without.FENCES_ARE_LEARNT);
            to.accept(
                    "the new shard learns the fences",
                    isFenced ? fenced.get(NEW).set(after) : after);
        }
        boolean isCounted = says.isSet(state) || zooKeeper.is(state, EXPIRED) || !has(Without.ALIVE_ONES_COUNT);
        if (format.is(state, JOINING) && learnt.isSet(state) && isCounted) {
            to.accept("the shard serves", format.with(state, SERVING));
        }
    }

    private void ioServerSteps(Packed state, BiConsumer<String, Packed> to) {
        if (zooKeeper.is(state, REACHES)) {
            to.accept("the IO server loses ZooKeeper", zooKeeper.with(state, CUT));
            if (map.of(state) < format.of(state)) {
                to.accept("the IO server hears of the format", map.with(state, format.of(state)));
            }
            if (!map.is(state, ONE) && !says.isSet(state)) {
                to.accept("the IO server says that it counts the new shard", says.set(state));
            }
        } else {
            to.accept("the IO server is back at ZooKeeper", zooKeeper.with(state, REACHES));
        }
        if (zooKeeper.is(state, CUT)) {
            to.accept("the session of the IO server ends", zooKeeper.with(state, EXPIRED));
        }
        if (started.of(state) < starts) {
            Packed after = started.with(state, started.of(state) + 1);
            after = zooKeeper.with(map.with(after, format.of(state)), REACHES);
            after = Cell.zero(Cell.zero(after, answered), counted);
            to.accept("the IO server starts anew", after);
        }
    }

    /** The end of the lease. A start of the server begins it anew, but for what is durable: its phase. */
    private void endSteps(Packed state, BiConsumer<String, Packed> to) {
        if (phase.is(state, OPEN)) {
            to.accept("the lease is over", phase.with(state, REVOKING));
        }
        if (!phase.is(state, REVOKING)) {
            return;
        }
        int known = Math.max(map.is(state, ONE) ? 1 : 2, counted.of(state));
        for (int shard : SHARDS) {
            if (shard < known && !fences.get(shard).isSet(state)) {
                to.accept(
                        "the IO server asks shard " + shard + " to fence",
                        fences.get(shard).set(state));
            }
            if (!answers.get(shard).is(state, NO_ANSWER)) {
                Packed after = answered.get(shard).set(state);
                to.accept(
                        "the IO server gets the answer of shard " + shard,
                        answers.get(shard).is(state, LISTED) ? phase.with(after, USED) : after);
            }
        }
        boolean haveKnownAnswered = haveAnswered(map.is(state, ONE) ? 1 : 2, state);
        if (counted.is(state, 0) && (haveKnownAnswered || !has(Without.COUNTED_AFTER_THE_FENCES))) {
            count(state, to);
        }
        int needed = has(Without.COUNTED_ONES_ANSWER) ? counted.of(state) : Math.min(1, counted.of(state));
        if (counted.isSet(state) && haveAnswered(needed, state)) {
            to.accept("the IO server takes the handle back", phase.with(state, RECLAIMED));
        }
    }

    private boolean haveAnswered(int shards, Packed state) {
        return answered.stream().limit(shards).allMatch(each -> each.isSet(state));
    }

    private void count(Packed state, BiConsumer<String, Packed> to) {
        if (!has(Without.COUNTED_BY_ZOOKEEPER)) {
            to.accept("the IO server counts by its map", counted.with(state, map.is(state, ONE) ? 1 : 2));
        } else if (zooKeeper.is(state, REACHES)) {
            to.accept("the IO server counts by ZooKeeper", counted.with(state, format.is(state, ONE) ? 1 : 2));
        }
    }

    private void clientSteps(int shard, Packed state, BiConsumer<String, Packed> to) {
        boolean isKnown = shard == OLD || format.is(state, SERVING);
        if (isKnown && !creates.get(shard).isSet(state)) {
            to.accept(
                    "the client sends a create to shard " + shard,
                    creates.get(shard).set(state));
        }
    }

    private void shardSteps(int shard, Packed state, BiConsumer<String, Packed> to) {
        if (creates.get(shard).isSet(state)
                && !fenced.get(shard).isSet(state)
                && !listed.get(shard).isSet(state)) {
            to.accept("shard " + shard + " makes the file", listed.get(shard).set(state));
        }
        if (fences.get(shard).isSet(state)) {
            int answer = listed.get(shard).isSet(state) ? LISTED : NOT_LISTED;
            Packed after = fenced.get(shard).set(state);
            to.accept(
                    "shard " + shard + " fences and answers", answers.get(shard).with(after, answer));
        }
    }

    @Override
    public Optional<String> wrong(Packed state) {
        boolean isListed = listed.stream().anyMatch(each -> each.isSet(state));
        return phase.is(state, RECLAIMED) && isListed
                ? Optional.of("a file lists the handle that was taken back")
                : Optional.empty();
    }

    /** The new shard serves and has a file, and the handle is that file's. */
    boolean isUsedOnTheNewShard(Packed state) {
        return format.is(state, SERVING)
                && phase.is(state, USED)
                && listed.get(NEW).isSet(state);
    }

    /** The new shard serves, and the handle was taken back. */
    boolean isTakenBack(Packed state) {
        return format.is(state, SERVING) && phase.is(state, RECLAIMED);
    }

    /** An IO server of whose session ZooKeeper knows nothing has ended the lease by asking both shards. */
    boolean wasAskedByAnExpiredServer(Packed state) {
        return zooKeeper.is(state, EXPIRED)
                && phase.is(state, RECLAIMED)
                && answered.get(NEW).isSet(state);
    }

    @Override
    public String toString() {
        return "a shard is added, " + starts + " starts" + (without.isEmpty() ? "" : ", without " + without);
    }
}
