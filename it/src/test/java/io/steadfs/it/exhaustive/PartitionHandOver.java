package io.steadfs.it.exhaustive;

import static io.steadfs.it.exhaustive.DirectoryShards.CLOSED_COMMITTED;
import static io.steadfs.it.exhaustive.DirectoryShards.COMMITTED;
import static io.steadfs.it.exhaustive.DirectoryShards.DONE;
import static io.steadfs.it.exhaustive.DirectoryShards.PREPARED;
import static io.steadfs.it.exhaustive.DirectoryShards.STAGED;

import io.steadfs.it.exhaustive.DirectoryShards.HandOver;
import io.steadfs.it.exhaustive.DirectoryShards.Partition;
import java.util.List;
import java.util.Optional;
import java.util.function.BiConsumer;

/**
 * Ranges of a directory's names go from one shard to another (docs/decisions/0033-partitions.md). Partition P is on shard
 * 0 and has all names at first. It gives a range to Q, on shard 1. Q may give a part of the range to R, which is on shard 0
 * again. The home shard has the map. It is a shard of its own, or one of the two.
 *
 * <pre>
 *  source   begins: names of the range stay ── opens an intent ──► both are prepared, and the names are
 *             ▲                                   │ gives up         those that were sent: names go, intent
 *             └── lets names change ◄── undone ◄──┘                  is committed, all in one batch
 *  target   NONE ── prepares ──► STAGED ── finish ──► OWNED
 *             └───── drops all names ◄─────┘ undone
 *  home     free ── prepares ──► entry is held ── finish ──► map is changed; new partition is cut off, if the
 *             └─────────────────────┘ undone                 directory goes with all its names
 * </pre>
 *
 * <p>A shard decides, and commits later, or crashes before. What it sends leaves after the commit. A message that was sent
 * stays, so it may arrive never, late and again: a prepare is there for ever when its intent was opened, and a finish when
 * it was decided. A shard that starts undoes its open intents.
 *
 * <p>These are wrong:
 *
 * <ul>
 *   <li>G1: two shards serve a name.
 *   <li>G2: a name whose making was answered is not there for who serves it.
 *   <li>G3: a name whose end was answered is there again.
 *   <li>TWICE: a request of a client has its effect two times.
 *   <li>REMOVED: the directory is removed as an empty one, and has a name.
 *   <li>HELD: a shard holds something for an intent that is closed, of which nobody will tell it any more.
 *   <li>REST: when no message is lost any more and nothing new begins, something is left over, or the map is not exact.
 * </ul>
 */
final class PartitionHandOver implements SmallModel<ShardStates> {
    private final HandOverKind kind;
    private final DirectoryShards shards;

    PartitionHandOver(HandOverKind kind) {
        this.kind = kind;
        this.shards = new DirectoryShards(kind);
    }

    @Override
    public ShardStates start() {
        return shards.start();
    }

    @Override
    public void steps(ShardStates state, BiConsumer<String, ShardStates> to) {
        ending(state, to);
        all(state, to).forEach(ShardSteps::other);
    }

    /** Gives the steps by which all ends, if nothing new begins. */
    private void ending(ShardStates state, BiConsumer<String, ShardStates> to) {
        for (int shard : kind.late()) {
            if (!state.isCommitted(shard)) {
                ShardStates next = state.copy();
                shards.commit(next, shard);
                to.accept("shard " + shard + " commits", next);
            }
        }
        all(state, to).forEach(ShardSteps::ending);
    }

    private List<ShardSteps> all(ShardStates state, BiConsumer<String, ShardStates> to) {
        return List.of(
                new HandOverSteps(shards, state, to),
                new RemovalSteps(shards, state, to),
                new ClientSteps(shards, state, to));
    }

    @Override
    public Optional<String> wrong(ShardStates state) {
        for (int n = 0; n < shards.truth.size(); n++) {
            Optional<String> wrong = wrongName(state, n);
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        if (shards.removal.isRemoved(state) && shards.truth.stream().anyMatch(name -> name.isSet(state))) {
            return Optional.of("REMOVED: the directory is removed, and has a name");
        }
        if (shards.recorded.stream().allMatch(record -> record.durable(state) == DONE)) {
            return Optional.of("TWICE: a request made name 0 at both shards");
        }
        for (HandOver each : shards.handOvers) {
            boolean holds = each.taken.is(state, PREPARED) || each.heldMap.is(state, PREPARED);
            boolean isClosed = each.intent.durable(state) >= CLOSED_COMMITTED;
            if (holds && isClosed) {
                return Optional.of("HELD: something is held for " + each + ", which is closed");
            }
        }
        ShardSteps.Whether goesOn = new ShardSteps.Whether();
        ending(state, goesOn);
        return goesOn.isAny() ? Optional.empty() : whatIsLeft(state);
    }

    private Optional<String> wrongName(ShardStates state, int n) {
        Optional<Partition> owner = Optional.empty();
        for (Partition each : shards.partitions) {
            if (!each.serves(state, n) && !each.servesDurably(state, n)) {
                continue;
            }
            if (owner.isPresent()) {
                return Optional.of("G1: " + owner.get().letter + " and " + each.letter + " serve name " + n);
            }
            owner = Optional.of(each);
            boolean isAway = n == 0 && shards.rename.is(state, COMMITTED) && each.held.durable(state) != 0;
            boolean there = each.name.get(n).durable(state) != 0 && !isAway;
            boolean counts = each.servesDurably(state, n) && shards.cut.durable(state) == 0;
            if (counts && there != shards.truth.get(n).isSet(state)) {
                return Optional.of(
                        (there ? "G3: name " + n + " is there again at " : "G2: name " + n + " is not there at ")
                                + each.letter);
            }
        }
        return Optional.empty();
    }

    /** What is left in a state in which nothing goes on by itself. */
    private Optional<String> whatIsLeft(ShardStates state) {
        for (HandOver each : shards.handOvers) {
            if (!each.isClosed(state)) {
                return Optional.of("REST: " + each + " never ends");
            }
        }
        for (Partition each : shards.partitions) {
            if (each.entry.is(state, STAGED) || each.entryHeld.isSet(state)) {
                return Optional.of("REST: " + each.letter + " stays staged, or its entry held");
            }
            if (each.giving.isSet(state) || each.frozen.isSet(state) || each.held.isSet(state)) {
                return Optional.of("REST: " + each.letter + " stays held");
            }
        }
        boolean isGone = shards.removal.isRemoved(state) || shards.cut.isSet(state);
        if (isGone != shards.gone.isSet(state) || shards.frozen.isSet(state)) {
            return Optional.of("REST: the home shard does not have the end of the directory");
        }
        return isGone ? whatIsLeftOfTheDirectory(state) : whatIsNotExact(state);
    }

    private Optional<String> whatIsLeftOfTheDirectory(ShardStates state) {
        return shards.partitions.stream()
                .filter(each -> each.entry.isSet(state) || each.inMap.isSet(state))
                .findFirst()
                .map(each -> "REST: " + each.letter + " is left, and the directory is gone");
    }

    private Optional<String> whatIsNotExact(ShardStates state) {
        for (Partition each : shards.partitions) {
            if (shards.isInMap(state, each) && !each.gave.is(state, each.gaveInMap.of(state))) {
                return Optional.of("REST: the map does not have the range of " + each.letter);
            }
        }
        for (int n = 0; n < shards.truth.size(); n++) {
            Partition named = shards.partitions.get(0);
            for (Partition each : shards.partitions) {
                named = each.inMap.isSet(state) && kind.names().get(n) >= each.has ? each : named;
                if (each.name.get(n).isSet(state) && !each.serves(state, n)) {
                    return Optional.of("REST: " + each.letter + " keeps name " + n + ", which it does not own");
                }
            }
            if (!named.serves(state, n)) {
                return Optional.of("REST: the map names " + named.letter + ", which does not serve name " + n);
            }
        }
        return Optional.empty();
    }

    /** Whether each hand over was committed, all is closed, and as many names were changed as may be. */
    boolean isGoodEnd(ShardStates state) {
        return shards.handOvers.stream().allMatch(each -> each.intent.is(state, CLOSED_COMMITTED))
                && shards.changes.is(state, kind.changes())
                && whatIsLeft(state).isEmpty();
    }

    @Override
    public String toString() {
        return kind.toString();
    }
}
