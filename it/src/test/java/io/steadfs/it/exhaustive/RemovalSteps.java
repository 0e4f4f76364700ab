package io.steadfs.it.exhaustive;

import static io.steadfs.it.exhaustive.DirectoryShards.COMMITTED;
import static io.steadfs.it.exhaustive.DirectoryShards.FINISHED;
import static io.steadfs.it.exhaustive.DirectoryShards.NONE;
import static io.steadfs.it.exhaustive.DirectoryShards.OPEN;
import static io.steadfs.it.exhaustive.DirectoryShards.PREPARED;
import static io.steadfs.it.exhaustive.DirectoryShards.SHARDS;
import static io.steadfs.it.exhaustive.DirectoryShards.UNDONE;
import static io.steadfs.it.exhaustive.ShardStates.BESIDE;

import io.steadfs.it.exhaustive.DirectoryShards.Partition;
import io.steadfs.it.exhaustive.HandOverKind.More;
import io.steadfs.it.exhaustive.HandOverKind.Without;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** What removes the directory, as an empty one or with all its names. */
final class RemovalSteps extends ShardSteps {
    RemovalSteps(DirectoryShards shards, ShardStates state, BiConsumer<String, ShardStates> to) {
        super(shards, state, to);
    }

    @Override
    void ending() {
        if (kind.has(More.REMOVAL_WITH_NAMES)) {
            clear();
        }
        if (shards.removal.isThere() && !shards.removal.intent.is(state, NONE)) {
            endRemoval();
        }
    }

    @Override
    void other() {
        if (shards.removal.isThere()) {
            remove();
        }
        if (kind.has(More.REMOVAL_WITH_NAMES) && mayCut()) {
            step(kind.home(), "the directory goes with all its names", shards::cutOff);
        }
    }

    /** The directory has one name, which is removed once. */
    private boolean mayCut() {
        return !shards.cut.isSet(state)
                && !shards.removal.intent.is(state, COMMITTED)
                && shards.removal.intent.durable(state) != COMMITTED;
    }

    // Removal with all names.

    private void clear() {
        if (shards.queued.isSet(state)) {
            step(kind.home(), "the home shard clears the directory", next -> {
                shards.gone.set(next);
                shards.frozen.clear(next);
                shards.queued.clear(next);
                clearMap(next);
            });
        }
        for (Partition each : shards.partitions) {
            boolean isTold = sent(kind.home(), each.notice) == each.of.of(state) + 1;
            if (each.entry.isSet(state) && !each.queued.isSet(state) && isTold) {
                step(each.shard, each.letter + " is told that it is cut off", each.queued::set);
            }
            if (each.queued.isSet(state) && !each.held.isSet(state)) {
                step(each.shard, each.letter + " is cleared", each::drop);
            }
        }
    }

    // Removal of an empty directory.

    private void remove() {
        boolean begins = shards.removal.intent.is(state, NONE) && shards.removal.intent.durable(state) == NONE;
        if (begins && (!shards.removal.isByHome || homeIsEmpty())) {
            step(shards.removal.shard, "a removal begins", next -> {
                shards.removal.intent.set(next, OPEN);
                if (shards.removal.isByHome || without(Without.HOME_FIRST)) {
                    ask(next);
                }
            });
        }
        if (!shards.removal.isByHome && shards.removal.seen(state) != NONE) {
            freezeHome();
        }
        boolean homeIsHeld = sent(kind.home(), shards.removal.home) != NONE;
        if (shards.removal.intent.is(state, OPEN) && homeIsHeld && !shards.removal.asksPartitions.isSet(state)) {
            step(BESIDE, "the removal asks for the partitions", this::ask);
        }
        if (sent(shards.removal.shard, shards.removal.asksPartitions) != 0) {
            for (int s = 0; s < SHARDS - 1; s++) {
                freeze(s);
            }
        }
        boolean isReady = shards.removal.isByHome ? homeIsEmpty() && isAskedNow() : homeIsHeld;
        boolean isNamed = !shards.cut.isSet(state) && shards.cut.durable(state) == 0;
        boolean asks = shards.removal.intent.is(state, OPEN) && shards.removal.asksPartitions.isSet(state);
        if (asks && areFrozen() && isReady && isNamed) {
            step(shards.removal.shard, "the directory is removed", next -> {
                shards.removal.intent.set(next, COMMITTED);
                if (shards.removal.isByHome) {
                    removeHome(next);
                }
            });
        }
    }

    /** What the home shard looks at before it holds the directory, or removes it itself. */
    private boolean homeIsEmpty() {
        boolean isHeld = shards.partitions.stream().anyMatch(each -> each.entryHeld.isSet(state));
        boolean areEmpty = shards.partitions.stream()
                .filter(each -> each.isAt(kind.home()) && shards.isInMap(state, each))
                .allMatch(each -> each.mayFreeze(state));
        return !shards.gone.isSet(state)
                && !shards.frozen.isSet(state)
                && (!isHeld || without(Without.HELD_ENTRY))
                && areEmpty;
    }

    private void freezeHome() {
        if (shards.removal.home.is(state, NONE) && homeIsEmpty()) {
            step(kind.home(), "the home shard is held for the removal", next -> {
                shards.removal.home.set(next, PREPARED);
                shards.frozen.set(next);
                shards.partitions.stream()
                        .filter(each -> each.isAt(kind.home()) && shards.isInMap(state, each))
                        .forEach(each -> each.frozen.set(next));
            });
        }
    }

    /** Asks for the partitions of the map. While the home shard is held, the answer has that. */
    private void ask(ShardStates next) {
        shards.removal.asksPartitions.set(next);
        for (int p = 0; p < shards.partitions.size(); p++) {
            Partition each = shards.partitions.get(p);
            boolean isAsked = !each.isAt(kind.home()) && shards.isInMap(next, each);
            shards.removal.asked.get(p).set(next, isAsked ? each.inMap.of(next) + 1 : 0);
        }
    }

    private boolean isAskedNow() {
        for (int p = 0; p < shards.partitions.size(); p++) {
            Partition each = shards.partitions.get(p);
            boolean isAsked = !each.isAt(kind.home()) && shards.isInMap(state, each);
            if (!shards.removal.asked.get(p).is(state, isAsked ? each.inMap.of(state) + 1 : 0)) {
                return false;
            }
        }
        return true;
    }

    private List<Partition> asked(int s) {
        List<Partition> all = new ArrayList<>();
        for (int p = 0; p < shards.partitions.size(); p++) {
            if (shards.partitions.get(p).isAt(s) && shards.removal.asked.get(p).isSet(state)) {
                all.add(shards.partitions.get(p));
            }
        }
        return all;
    }

    private boolean isAsked(Partition each) {
        int mark = shards.removal.asked.get(shards.partitions.indexOf(each)).of(state);
        return each.entry.isSet(state) && each.of.is(state, mark - 1);
    }

    private void freeze(int s) {
        List<Partition> asked = asked(s);
        boolean mayFreeze = asked.stream().allMatch(each -> isAsked(each) && each.mayFreeze(state));
        if (!asked.isEmpty() && shards.removal.slots.get(s).is(state, NONE) && mayFreeze) {
            step(s, "shard " + s + " is held for the removal", next -> {
                shards.removal.slots.get(s).set(next, PREPARED);
                asked.forEach(each -> each.frozen.set(next));
            });
        }
    }

    private boolean areFrozen() {
        for (int s = 0; s < SHARDS - 1; s++) {
            if (!asked(s).isEmpty() && sent(s, shards.removal.slots.get(s)) == NONE) {
                return false;
            }
        }
        return true;
    }

    private void endRemoval() {
        if (shards.removal.intent.is(state, OPEN)) {
            step(shards.removal.shard, "the removal is given up", next -> shards.removal.intent.set(next, UNDONE));
        }
        int seen = shards.removal.seen(state);
        if (seen != COMMITTED && seen != UNDONE) {
            return;
        }
        boolean commits = seen == COMMITTED;
        if (!shards.removal.isByHome && !shards.removal.home.is(state, FINISHED)) {
            step(kind.home(), "the home shard finishes the removal", next -> finishHome(next, commits));
        }
        for (int s = 0; s < SHARDS - 1; s++) {
            int shard = s;
            List<Partition> asked = asked(s);
            if (!asked.isEmpty() && !shards.removal.slots.get(s).is(state, FINISHED)) {
                step(s, "shard " + s + " finishes the removal", next -> {
                    boolean wasHeld = shards.removal.slots.get(shard).is(next, PREPARED);
                    shards.removal.slots.get(shard).set(next, FINISHED);
                    asked.stream()
                            .filter(each -> wasHeld && isAsked(each) && each.frozen.isSet(next))
                            .forEach(each -> unfreeze(next, each, commits));
                });
            }
        }
    }

    private void finishHome(ShardStates next, boolean commits) {
        boolean wasHeld = shards.removal.home.is(next, PREPARED);
        shards.removal.home.set(next, FINISHED);
        if (wasHeld && commits) {
            removeHome(next);
        } else if (wasHeld) {
            shards.frozen.clear(next);
            shards.partitions.stream()
                    .filter(each -> each.isAt(kind.home()) && shards.isInMap(next, each))
                    .forEach(each -> each.frozen.clear(next));
        }
    }

    private void removeHome(ShardStates next) {
        shards.partitions.forEach(each -> {
            if (each.isAt(kind.home()) && shards.isInMap(next, each)) {
                each.drop(next);
            }
        });
        shards.gone.set(next);
        shards.frozen.clear(next);
        clearMap(next);
    }

    private void clearMap(ShardStates next) {
        for (Partition each : shards.partitions) {
            each.inMap.clear(next);
            each.gaveInMap.clear(next);
            each.entryHeld.clear(next);
        }
    }

    private void unfreeze(ShardStates next, Partition each, boolean commits) {
        if (commits) {
            each.drop(next);
        } else {
            each.frozen.clear(next);
        }
    }
}
