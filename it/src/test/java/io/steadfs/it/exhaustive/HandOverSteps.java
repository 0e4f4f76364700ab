package io.steadfs.it.exhaustive;

import static io.steadfs.it.exhaustive.DirectoryShards.CLOSED_COMMITTED;
import static io.steadfs.it.exhaustive.DirectoryShards.CLOSED_UNDONE;
import static io.steadfs.it.exhaustive.DirectoryShards.COMMITTED;
import static io.steadfs.it.exhaustive.DirectoryShards.FINISHED;
import static io.steadfs.it.exhaustive.DirectoryShards.NONE;
import static io.steadfs.it.exhaustive.DirectoryShards.OPEN;
import static io.steadfs.it.exhaustive.DirectoryShards.ORPHAN;
import static io.steadfs.it.exhaustive.DirectoryShards.OWNED;
import static io.steadfs.it.exhaustive.DirectoryShards.PREPARED;
import static io.steadfs.it.exhaustive.DirectoryShards.SHARDS;
import static io.steadfs.it.exhaustive.DirectoryShards.STAGED;
import static io.steadfs.it.exhaustive.DirectoryShards.UNDONE;

import io.steadfs.it.exhaustive.DirectoryShards.HandOver;
import io.steadfs.it.exhaustive.DirectoryShards.Partition;
import io.steadfs.it.exhaustive.HandOverKind.Without;
import io.steadfs.it.exhaustive.ShardStates.Value;
import java.util.function.BiConsumer;

/** What the source, the target and the home shard do for hand overs. */
final class HandOverSteps extends ShardSteps {
    HandOverSteps(DirectoryShards shards, ShardStates state, BiConsumer<String, ShardStates> to) {
        super(shards, state, to);
    }

    @Override
    void ending() {
        for (HandOver each : shards.handOvers) {
            if (!each.intent.is(state, NONE)) {
                endIntent(each);
            }
        }
        shards.partitions.forEach(this::endPartition);
    }

    @Override
    void other() {
        for (int s = 0; s < SHARDS; s++) {
            crash(s);
        }
        shards.partitions.forEach(this::begin);
        shards.handOvers.forEach(this::handOver);
    }

    private void crash(int s) {
        ShardStates next = state.copy();
        next.crash(s);
        for (HandOver each : shards.handOvers) {
            if (each.from.shard == s && each.intent.is(next, OPEN)) {
                each.intent.set(next, without(Without.START_UNDOES) ? ORPHAN : UNDONE);
            }
        }
        if (shards.removal.shard == s && shards.removal.intent.is(next, OPEN)) {
            shards.removal.intent.set(next, UNDONE);
        }
        if (!kind.late().contains(s)) {
            next.commit(s);
        }
        if (!next.equals(state)) {
            give("shard " + s + " crashes, and starts", next);
        }
    }

    // The source.

    private void begin(Partition from) {
        boolean holds = from.held.isSet(state) && from.isGiven(0) && !without(Without.BEGIN_WITHOUT_HELD);
        if (from.isOwn(state) && !from.giving.isSet(state) && !holds && mayOpen(from)) {
            step(from.shard, from.letter + " begins to give names", from.giving::set);
        }
    }

    private boolean mayOpen(Partition from) {
        for (HandOver each : shards.handOvers) {
            if (each.from == from && mayOpen(each)) {
                return true;
            }
        }
        return false;
    }

    private boolean mayOpen(HandOver handOver) {
        for (HandOver each : shards.handOvers) {
            if (each.number < handOver.number && each.from == handOver.from && each.intent.is(state, NONE)) {
                return false;
            }
        }
        return handOver.intent.is(state, NONE) && handOver.intent.durable(state) == NONE;
    }

    private boolean hasOpen(Partition from) {
        for (HandOver each : shards.handOvers) {
            if (each.from == from && each.intent.is(state, OPEN)) {
                return true;
            }
        }
        return false;
    }

    private void handOver(HandOver handOver) {
        Partition from = handOver.from;
        boolean gives = from.giving.isSet(state) && from.isOwn(state) && (handOver.needsHome() || isWhole());
        if (gives && mayOpen(handOver) && !hasOpen(from)) {
            step(from.shard, handOver + " is opened", next -> open(next, handOver));
        }
        if (gives && handOver.intent.is(state, OPEN) && isTaken(handOver)) {
            goOn(handOver);
        }
        if (handOver.wasSent(state)) {
            prepare(handOver);
        }
    }

    /** If this shard is the home shard: whether the directory is not being removed. */
    private boolean isWhole() {
        return !shards.gone.isSet(state)
                && (!shards.frozen.isSet(state) || without(Without.FROZEN_HOME))
                && (!shards.queued.isSet(state) || without(Without.QUEUED_HOME));
    }

    private void open(ShardStates next, HandOver handOver) {
        handOver.intent.set(next, OPEN);
        for (int n = 0; n < shards.truth.size(); n++) {
            boolean goes = handOver.from.isGiven(n) && handOver.from.name.get(n).isSet(next);
            handOver.carried.get(n).set(next, goes ? 1 : 0);
        }
        handOver.carriedHeld.set(next, handOver.from.isGiven(0) ? handOver.from.held.of(next) : 0);
    }

    private boolean isTaken(HandOver handOver) {
        return sent(handOver.to.shard, handOver.taken) != NONE && areSame(handOver);
    }

    private boolean areSame(HandOver handOver) {
        boolean same = !handOver.from.isGiven(0) || handOver.from.held.is(state, handOver.carriedHeld.of(state));
        for (int n = 0; n < shards.truth.size(); n++) {
            same &= !handOver.from.isGiven(n)
                    || handOver.from
                            .name
                            .get(n)
                            .is(state, handOver.carried.get(n).of(state));
        }
        return same || without(Without.NAMES_READ_AGAIN);
    }

    private void goOn(HandOver handOver) {
        int shard = handOver.from.shard;
        boolean isHeld = sent(kind.home(), handOver.heldMap) != NONE || without(Without.HOME_HELD);
        if (handOver.needsHome() && !handOver.asksHome.isSet(state)) {
            step(shard, handOver + " asks the home shard, too", handOver.asksHome::set);
        } else if (!handOver.needsHome() || isHeld) {
            step(shard, handOver + " is committed", next -> decide(next, handOver));
        }
    }

    private void decide(ShardStates next, HandOver handOver) {
        Partition from = handOver.from;
        handOver.intent.set(next, COMMITTED);
        from.giving.clear(next);
        from.gave.set(next);
        for (int n = 0; n < shards.truth.size() && !without(Without.NAMES_GO); n++) {
            if (from.isGiven(n)) {
                from.name.get(n).clear(next);
            }
        }
        if (from.isGiven(0)) {
            from.held.clear(next);
        }
        if (!handOver.needsHome()) {
            changeMap(next, handOver);
        }
    }

    private void endIntent(HandOver handOver) {
        int shard = handOver.from.shard;
        if (handOver.intent.is(state, OPEN)) {
            step(shard, handOver + " is undone", next -> handOver.intent.set(next, UNDONE));
        }
        if (handOver.isCommitted(state) || handOver.isUndone(state)) {
            finish(handOver);
        }
        boolean isDecided = handOver.intent.is(state, COMMITTED) || handOver.intent.is(state, UNDONE);
        boolean took = sent(handOver.to.shard, handOver.taken) == FINISHED;
        boolean homeDone = !handOver.asksHome.isSet(state)
                || sent(kind.home(), handOver.heldMap) == FINISHED
                || without(Without.ALL_TOLD);
        if (isDecided && took && homeDone) {
            int closed = handOver.intent.is(state, COMMITTED) ? CLOSED_COMMITTED : CLOSED_UNDONE;
            step(shard, handOver + " is closed", next -> handOver.intent.set(next, closed));
        }
    }

    private void endPartition(Partition from) {
        boolean waits = hasOpen(from) && !without(Without.END_WAITS);
        if (from.giving.isSet(state) && !waits) {
            step(from.shard, from.letter + " lets names change again", from.giving::clear);
        }
    }

    // The target and the home shard.

    private void prepare(HandOver handOver) {
        Partition target = handOver.to;
        boolean isFree = target.entry.is(state, NONE) || without(Without.ONE_STAGED);
        boolean holds = handOver.carries(state, handOver.carriedHeld) != 0 && !without(Without.HELD_NOT_TAKEN);
        if (mayPrepare(handOver.taken) && isFree && !holds) {
            step(target.shard, "the target stages names of " + handOver, next -> take(next, handOver));
        }
        boolean asks = handOver.asksHome(state);
        if (asks && mayPrepare(handOver.heldMap) && mayHold(handOver) && !without(Without.HOME_HELD)) {
            step(kind.home(), "the home shard holds the entry for " + handOver, next -> {
                handOver.heldMap.set(next, PREPARED);
                handOver.from.entryHeld.set(next, handOver.mark());
            });
        }
        if (handOver.taken.is(state, PREPARED) && without(Without.PREPARED_STAYS)) {
            step(target.shard, "the target hears nothing of " + handOver, next -> finishTake(next, handOver, false));
        }
        boolean isEarly = without(Without.SOURCE_FIRST) && handOver.taken.is(state, PREPARED);
        if (isEarly && handOver.to.of.is(state, handOver.mark())) {
            step(target.shard, "the target serves before the decision", next -> handOver.to.entry.set(next, OWNED));
        }
    }

    private boolean mayPrepare(Value slot) {
        return slot.is(state, NONE) || (slot.is(state, FINISHED) && without(Without.LATE_PREPARE));
    }

    private void take(ShardStates next, HandOver handOver) {
        Partition target = handOver.to;
        handOver.taken.set(next, PREPARED);
        target.drop(next);
        target.entry.set(next, STAGED);
        target.of.set(next, handOver.mark());
        for (int n = 0; n < shards.truth.size(); n++) {
            target.name.get(n).set(next, handOver.carries(state, handOver.carried.get(n)));
        }
        target.held.set(next, handOver.carries(state, handOver.carriedHeld));
    }

    private boolean mayHold(HandOver handOver) {
        Partition from = handOver.from;
        boolean isAsSaid = from.inMap.is(state, from.of.durable(state)) && !from.gaveInMap.isSet(state);
        return isWhole()
                && (isAsSaid || without(Without.ENTRY_AS_SAID))
                && (from.entryHeld.is(state, 0) || without(Without.ENTRY_ONCE));
    }

    private void finish(HandOver handOver) {
        boolean commits = handOver.isCommitted(state);
        boolean isOne = handOver.to.shard == kind.home();
        boolean homeWaits = handOver.asksHome(state) && !handOver.heldMap.is(state, FINISHED);
        boolean targetWaits = !handOver.taken.is(state, FINISHED);
        if (targetWaits || (isOne && homeWaits)) {
            step(handOver.to.shard, "the target finishes " + handOver, next -> {
                finishTake(next, handOver, commits);
                if (isOne && homeWaits) {
                    finishHold(next, handOver, commits);
                }
            });
        }
        if (!isOne && homeWaits) {
            step(kind.home(), "the home shard finishes " + handOver, next -> finishHold(next, handOver, commits));
        }
    }

    private void finishTake(ShardStates next, HandOver handOver, boolean commits) {
        Partition target = handOver.to;
        boolean isOwn = target.entry.isSet(next) && target.of.is(next, handOver.mark());
        if (handOver.taken.is(next, PREPARED) && isOwn) {
            if (commits) {
                target.entry.set(next, OWNED);
            } else {
                target.drop(next);
            }
        }
        handOver.taken.set(next, FINISHED);
    }

    private void finishHold(ShardStates next, HandOver handOver, boolean commits) {
        Partition from = handOver.from;
        boolean wasHeld = handOver.heldMap.is(next, PREPARED) || without(Without.HOME_HELD);
        boolean isOwn = from.entryHeld.is(next, handOver.mark()) || without(Without.HOME_HELD);
        if (wasHeld && isOwn) {
            from.entryHeld.clear(next);
            if (commits) {
                changeMap(next, handOver);
            }
        }
        boolean isGone = shards.gone.isSet(next) || shards.queued.isSet(next);
        if (commits && wasHeld && isGone && !without(Without.CUT_OFF_AT_END)) {
            shards.cutOff(next, handOver.to, handOver.mark());
        }
        handOver.heldMap.set(next, FINISHED);
    }

    private void changeMap(ShardStates next, HandOver handOver) {
        handOver.to.inMap.set(next, handOver.mark());
        handOver.to.gaveInMap.clear(next);
        handOver.from.gaveInMap.set(next);
    }
}
