package io.steadfs.it.exhaustive;

import io.steadfs.it.exhaustive.HandOverKind.Without;
import io.steadfs.it.exhaustive.ShardStates.Value;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Steps that are possible in one state of {@link PartitionHandOver}. */
abstract class ShardSteps {
    final DirectoryShards shards;
    final HandOverKind kind;
    final ShardStates state;
    private final BiConsumer<String, ShardStates> to;

    ShardSteps(DirectoryShards shards, ShardStates state, BiConsumer<String, ShardStates> to) {
        this.shards = shards;
        this.kind = shards.kind;
        this.state = state;
        this.to = to;
    }

    /** Gives the steps by which all that was begun ends, if nothing new begins. */
    abstract void ending();

    /** Gives all other steps. */
    abstract void other();

    /** Takes steps of which only matters whether there is one. */
    static final class Whether implements BiConsumer<String, ShardStates> {
        private boolean isAny;

        boolean isAny() {
            return isAny;
        }

        @Override
        public void accept(String what, ShardStates next) {
            isAny = true;
        }
    }

    /** Gives a step. If the shard is none with late commits, the change is durable at once. */
    final void step(int shard, String what, Consumer<ShardStates> change) {
        if (to instanceof Whether) {
            give(what, state);
            return;
        }
        ShardStates next = state.copy();
        change.accept(next);
        if (shard != ShardStates.BESIDE && !kind.late().contains(shard)) {
            shards.commit(next, shard);
        }
        give(what, next);
    }

    final void give(String what, ShardStates next) {
        to.accept(what, next);
    }

    final boolean without(Without one) {
        return kind.isWithout(one);
    }

    final int sent(int shard, Value value) {
        return shards.sent(state, shard, value);
    }
}
