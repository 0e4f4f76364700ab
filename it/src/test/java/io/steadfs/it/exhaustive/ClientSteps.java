package io.steadfs.it.exhaustive;

import static io.steadfs.it.exhaustive.DirectoryShards.ASKED_FIRST;
import static io.steadfs.it.exhaustive.DirectoryShards.ASKED_SECOND;
import static io.steadfs.it.exhaustive.DirectoryShards.COMMITTED;
import static io.steadfs.it.exhaustive.DirectoryShards.DONE;
import static io.steadfs.it.exhaustive.DirectoryShards.FINISHED;
import static io.steadfs.it.exhaustive.DirectoryShards.NONE;
import static io.steadfs.it.exhaustive.DirectoryShards.OPEN;
import static io.steadfs.it.exhaustive.DirectoryShards.PREPARED;
import static io.steadfs.it.exhaustive.DirectoryShards.REFUSED;
import static io.steadfs.it.exhaustive.DirectoryShards.STAGED;
import static io.steadfs.it.exhaustive.DirectoryShards.UNDONE;
import static io.steadfs.it.exhaustive.DirectoryShards.WRONG_PARTITION;
import static io.steadfs.it.exhaustive.ShardStates.BESIDE;

import io.steadfs.it.exhaustive.DirectoryShards.Partition;
import io.steadfs.it.exhaustive.HandOverKind.More;
import io.steadfs.it.exhaustive.HandOverKind.Without;
import io.steadfs.it.exhaustive.ShardStates.Value;
import java.util.Optional;
import java.util.function.BiConsumer;

/** What clients do, and a rename that another shard drives. */
final class ClientSteps extends ShardSteps {
    ClientSteps(DirectoryShards shards, ShardStates state, BiConsumer<String, ShardStates> to) {
        super(shards, state, to);
    }

    @Override
    void ending() {
        if (!shards.rename.is(state, NONE)) {
            endRename();
        }
    }

    @Override
    void other() {
        shards.partitions.forEach(this::changeNames);
        if (kind.has(More.RENAME)) {
            holdName();
        }
        if (kind.has(More.REQUEST)) {
            request();
        }
    }

    // Clients.

    private boolean mayChange() {
        return shards.changes.of(state) < kind.changes() && !shards.cut.isSet(state) && shards.cut.durable(state) == 0;
    }

    private void changeNames(Partition at) {
        if (!mayChange()) {
            return;
        }
        for (int n = 0; n < shards.truth.size(); n++) {
            if (at.mayChange(state, n)) {
                int name = n;
                boolean there = at.name.get(n).isSet(state);
                step(at.shard, at.letter + (there ? " unlinks" : " makes") + " name " + n, next -> {
                    change(next, at, name, there ? 0 : 1);
                });
            }
        }
    }

    private void change(ShardStates next, Partition at, int n, int there) {
        at.name.get(n).set(next, there);
        shards.unanswered.get(at.shard).get(n).set(next, there + 1);
        shards.changes.set(next, shards.changes.of(next) + 1);
    }

    private void holdName() {
        for (int p = 0; p < shards.partitions.size(); p++) {
            int to = p;
            Partition at = shards.partitions.get(p);
            if (shards.rename.is(state, NONE) && at.servesDurably(state, 0)) {
                step(BESIDE, "a rename begins at " + at.letter, next -> {
                    shards.rename.set(next, OPEN);
                    shards.renameAt.set(next, to);
                    shards.renameOf.set(next, at.of.durable(next));
                });
            }
        }
        if (shards.rename.is(state, NONE)) {
            return;
        }
        Partition at = shards.partitions.get(shards.renameAt.of(state));
        Value slot = shards.renameSlots.get(at.shard);
        boolean stays = at.giving.isSet(state) && at.isGiven(0) && !without(Without.NO_HOLD_WHILE_GIVEN);
        boolean isThere = at.serves(state, 0)
                && at.of.is(state, shards.renameOf.of(state))
                && at.name.get(0).isSet(state);
        if (slot.is(state, NONE) && isThere && !stays && !at.held.isSet(state)) {
            step(at.shard, "the rename holds name 0 at " + at.letter, next -> {
                slot.set(next, PREPARED);
                at.held.set(next);
            });
        }
        if (shards.rename.is(state, OPEN) && sent(at.shard, slot) == PREPARED && mayChange()) {
            step(BESIDE, "the rename takes name 0 away", next -> {
                shards.rename.set(next, COMMITTED);
                shards.truth.get(0).clear(next);
                shards.changes.set(next, shards.changes.of(next) + 1);
            });
        }
    }

    private void endRename() {
        if (shards.rename.is(state, OPEN)) {
            step(BESIDE, "the rename is undone", next -> shards.rename.set(next, UNDONE));
            return;
        }
        Partition at = shards.partitions.get(shards.renameAt.of(state));
        Value slot = shards.renameSlots.get(at.shard);
        boolean commits = shards.rename.is(state, COMMITTED);
        if (!slot.is(state, FINISHED)) {
            step(at.shard, at.letter + " finishes the rename", next -> {
                boolean isOwn =
                        slot.is(next, PREPARED) && at.of.is(next, shards.renameOf.of(next)) && at.held.isSet(next);
                slot.set(next, FINISHED);
                if (isOwn) {
                    at.held.clear(next);
                    at.name.get(0).set(next, commits ? 0 : 1);
                }
            });
        }
    }

    /** A client asks shard 0 to make name 0, and shard 1 if shard 0 does not own the name. */
    private void request() {
        if (shards.client.is(state, NONE)) {
            step(BESIDE, "the client asks shard 0", next -> shards.client.set(next, ASKED_FIRST));
            return;
        }
        ask(0);
        boolean isTold = shards.recorded.get(0).durable(state) == WRONG_PARTITION || shards.toldWrong.isSet(state);
        if (shards.client.is(state, ASKED_SECOND)) {
            ask(1);
        } else if (isTold || without(Without.SETTLED_WHERE_IT_WAS_SENT)) {
            step(BESIDE, "the client asks shard 1", next -> shards.client.set(next, ASKED_SECOND));
        }
    }

    private void ask(int s) {
        Value record = shards.recorded.get(s);
        if (record.isSet(state)) {
            return;
        }
        Optional<Partition> owner = shards.partitions.stream()
                .filter(each -> each.isAt(s) && each.serves(state, 0))
                .findFirst();
        boolean isStaged = shards.partitions.stream().anyMatch(each -> each.isAt(s) && each.entry.is(state, STAGED));
        if (owner.isEmpty() && !isStaged) {
            step(s, "shard " + s + " answers that it does not own name 0", next -> {
                if (!without(Without.RECORD_OF_WRONG_PARTITION)) {
                    record.set(next, WRONG_PARTITION);
                } else if (s == 0) {
                    shards.toldWrong.set(next);
                }
            });
        } else if (owner.isPresent() && owner.get().mayChange(state, 0)) {
            Partition at = owner.get();
            if (at.name.get(0).isSet(state)) {
                step(s, "shard " + s + " answers that name 0 is there", next -> record.set(next, REFUSED));
            } else if (mayChange()) {
                step(s, "shard " + s + " makes name 0 for the client", next -> {
                    record.set(next, DONE);
                    change(next, at, 0, 1);
                });
            }
        }
    }
}
