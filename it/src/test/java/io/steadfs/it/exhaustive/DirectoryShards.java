package io.steadfs.it.exhaustive;

import static io.steadfs.it.exhaustive.ShardStates.BESIDE;

import io.steadfs.it.exhaustive.HandOverKind.More;
import io.steadfs.it.exhaustive.HandOverKind.Without;
import io.steadfs.it.exhaustive.ShardStates.Value;
import java.util.ArrayList;
import java.util.List;

/** What the shards have of one directory, in a state of {@link PartitionHandOver}, and what clients and others have. */
final class DirectoryShards {
    static final int SHARDS = 3;

    static final int NONE = 0;

    // A partition.
    static final int STAGED = 1;
    static final int OWNED = 2;

    // An intent. One that is closed keeps its outcome, because messages with it may still arrive.
    static final int OPEN = 1;
    static final int ORPHAN = 2;
    static final int COMMITTED = 3;
    static final int UNDONE = 4;
    static final int CLOSED_COMMITTED = 5;
    static final int CLOSED_UNDONE = 6;

    // A slot of an intent.
    static final int PREPARED = 1;
    static final int FINISHED = 2;

    // What a shard recorded of the client's request, and where the client sent it.
    static final int DONE = 1;
    static final int REFUSED = 2;
    static final int WRONG_PARTITION = 3;
    static final int ASKED_FIRST = 1;
    static final int ASKED_SECOND = 2;

    /** A partition: what its shard has of it, and what the home shard has. */
    final class Partition {
        final String letter;
        final int shard;
        /** It is for names that so many hand overs give, or more. It gives those that more of them give. */
        final int has;

        final Value entry;
        /** One more than the number of the hand over that made it. It stands for the handle. */
        final Value of;

        final Value gave;
        final Value giving;
        final Value frozen;
        final Value queued;
        final List<Value> name;
        final Value held;

        /** At the home shard: of which hand over it is in the map. */
        final Value inMap;
        /** Whether the map says that it gave its range. */
        final Value gaveInMap;
        /** Which hand over holds the entry. */
        final Value entryHeld;
        /** One more than {@link #of} the partition that is cut off. */
        final Value notice;

        Partition(String letter, int shard, int has, ShardStates.Maker cells) {
            this.letter = letter;
            this.shard = shard;
            this.has = has;
            int all = kind.handOvers().size() + 1;
            entry = cells.value(shard, 3);
            of = cells.value(shard, all);
            gave = cells.value(shard, 2);
            giving = cells.value(shard, 2);
            frozen = cells.value(shard, 2);
            queued = cells.value(shard, 2);
            name = cells.values(shard, kind.names().size(), 2);
            held = cells.value(shard, 2);
            inMap = cells.value(kind.home(), all);
            entryHeld = cells.value(kind.home(), all);
            gaveInMap = cells.value(kind.home(), 2);
            notice = cells.value(kind.home(), all + 1);
        }

        boolean isGiven(int n) {
            return kind.names().get(n) > has;
        }

        boolean isAt(int shard) {
            return this.shard == shard;
        }

        boolean serves(ShardStates state, int n) {
            return entry.is(state, OWNED) && kind.names().get(n) >= has && !(isGiven(n) && gave.isSet(state));
        }

        boolean servesDurably(ShardStates state, int n) {
            return entry.durable(state) == OWNED
                    && kind.names().get(n) >= has
                    && !(isGiven(n) && gave.durable(state) != 0);
        }

        boolean isHeld(ShardStates state, int n) {
            return n == 0 && held.isSet(state);
        }

        /** Whether a client, or a rename, may change the name. */
        boolean mayChange(ShardStates state, int n) {
            boolean stays = giving.isSet(state) && isGiven(n) && !without(Without.NAMES_STAY);
            return serves(state, n) && !stays && !frozen.isSet(state) && !isHeld(state, n);
        }

        /** Whether it can give names. */
        boolean isOwn(ShardStates state) {
            return entry.is(state, OWNED)
                    && !gave.isSet(state)
                    && (!frozen.isSet(state) || without(Without.FROZEN_GIVES_NOTHING))
                    && (!queued.isSet(state) || without(Without.QUEUED_GIVES_NOTHING));
        }

        /** Whether a shard that is asked to hold it empty does so. */
        boolean mayFreeze(ShardStates state) {
            return entry.isSet(state)
                    && !frozen.isSet(state)
                    && (!giving.isSet(state) || without(Without.GIVING_IS_NOT_FROZEN))
                    && isEmpty(state);
        }

        private boolean isEmpty(ShardStates state) {
            for (int n = 0; n < name.size(); n++) {
                boolean counts = !isHeld(state, n) || !without(Without.HELD_NAME_COUNTS);
                if (name.get(n).isSet(state) && counts) {
                    return false;
                }
            }
            return true;
        }

        void drop(ShardStates next) {
            name.forEach(one -> one.clear(next));
            for (Value each : List.of(entry, of, gave, giving, frozen, queued, held)) {
                each.clear(next);
            }
        }
    }

    /** One attempt to give names: the intent at the source, and the slots of the two others. */
    final class HandOver {
        final int number;
        final Partition from;
        final Partition to;
        final Value intent;
        /** Whether the intent has a slot of the home shard. */
        final Value asksHome;

        /** The names in the prepare, and whether a rename holds the first of them. */
        final List<Value> carried;

        final Value carriedHeld;
        /** The slots. */
        final Value taken;

        final Value heldMap;

        HandOver(int number, Partition from, Partition to, ShardStates.Maker cells) {
            this.number = number;
            this.from = from;
            this.to = to;
            intent = cells.value(from.shard, CLOSED_UNDONE + 1);
            asksHome = cells.value(from.shard, 2);
            carried = cells.values(from.shard, kind.names().size(), 2);
            carriedHeld = cells.value(from.shard, 2);
            taken = cells.value(to.shard, 3);
            heldMap = cells.value(kind.home(), 3);
        }

        int mark() {
            return number + 1;
        }

        boolean needsHome() {
            return from.shard != kind.home();
        }

        /** What others hear of the intent. */
        private int sent(ShardStates state) {
            Without early = intent.is(state, OPEN) ? Without.OPENED_FIRST : Without.DECIDED_FIRST;
            return without(early) ? intent.of(state) : intent.durable(state);
        }

        boolean wasSent(ShardStates state) {
            return sent(state) != NONE;
        }

        int carries(ShardStates state, Value row) {
            return without(Without.OPENED_FIRST) ? row.of(state) : row.durable(state);
        }

        boolean asksHome(ShardStates state) {
            return (without(Without.OPENED_FIRST) ? asksHome.of(state) : asksHome.durable(state)) != 0;
        }

        boolean isCommitted(ShardStates state) {
            return sent(state) == COMMITTED || sent(state) == CLOSED_COMMITTED;
        }

        boolean isUndone(ShardStates state) {
            return sent(state) == UNDONE || sent(state) == CLOSED_UNDONE;
        }

        boolean isClosed(ShardStates state) {
            return intent.is(state, NONE) || intent.of(state) >= CLOSED_COMMITTED;
        }

        @Override
        public String toString() {
            return "hand over " + number;
        }
    }

    /** What a removal that another shard, or the home shard, drives has. It asks for what the map had. */
    final class Removal {
        final boolean isByHome = kind.has(More.REMOVAL_BY_HOME);
        final int shard = isByHome ? kind.home() : BESIDE;
        final Value intent;
        /** For each partition, one more than its {@link Partition#of}, if it is asked for. */
        final List<Value> asked = new ArrayList<>();

        final Value asksPartitions;
        final Value home;
        final List<Value> slots = new ArrayList<>();

        Removal(ShardStates.Maker cells) {
            intent = cells.value(shard, UNDONE + 1);
            asksPartitions = cells.value(shard, 2);
            home = cells.value(kind.home(), 3);
            for (int s = 0; s < SHARDS - 1; s++) {
                slots.add(cells.value(s, 3));
            }
            for (int p = 0; p < partitions.size(); p++) {
                asked.add(cells.value(shard, kind.handOvers().size() + 2));
            }
        }

        boolean isThere() {
            return kind.has(More.REMOVAL) || isByHome;
        }

        boolean isRemoved(ShardStates state) {
            return intent.durable(state) == COMMITTED;
        }

        int seen(ShardStates state) {
            return sent(state, shard, intent);
        }
    }

    final HandOverKind kind;
    /** The names that are there, as clients were answered. */
    final List<Value> truth;

    final Value changes;
    /** For each shard and name, a change that is not answered yet: 1 = unlinked, 2 = made. */
    final List<List<Value>> unanswered = new ArrayList<>();

    final List<Partition> partitions = new ArrayList<>();
    final List<HandOver> handOvers = new ArrayList<>();

    // What the home shard has of the directory.
    final Value gone;
    final Value frozen;
    final Value queued;
    /** Whether the directory went with all its names. */
    final Value cut;

    final Value rename;
    /** The partition to which the rename is sent, and its handle. */
    final Value renameAt;

    final Value renameOf;
    final List<Value> renameSlots = new ArrayList<>();
    final Removal removal;

    final Value client;
    final Value toldWrong;
    final List<Value> recorded = new ArrayList<>();

    DirectoryShards(HandOverKind kind) {
        this.kind = kind;
        ShardStates.Maker cells = new ShardStates.Maker(SHARDS);
        truth = cells.values(BESIDE, kind.names().size(), 2);
        changes = cells.value(BESIDE, kind.changes() + 1);
        for (int s = 0; s < SHARDS; s++) {
            unanswered.add(cells.values(s, kind.names().size(), 3));
        }
        partitions.add(new Partition("P", 0, 0, cells));
        partitions.add(new Partition("Q", 1, 1, cells));
        if (kind.handOvers().contains(true)) {
            partitions.add(new Partition("R", 0, 2, cells));
        }
        for (boolean isBack : kind.handOvers()) {
            int from = isBack ? 1 : 0;
            handOvers.add(new HandOver(handOvers.size(), partitions.get(from), partitions.get(from + 1), cells));
        }
        gone = cells.value(kind.home(), 2);
        frozen = cells.value(kind.home(), 2);
        queued = cells.value(kind.home(), 2);
        cut = cells.value(kind.home(), 2);
        rename = cells.value(BESIDE, UNDONE + 1);
        renameAt = cells.value(BESIDE, 3);
        renameOf = cells.value(BESIDE, kind.handOvers().size() + 1);
        for (int s = 0; s < SHARDS - 1; s++) {
            renameSlots.add(cells.value(s, 3));
            recorded.add(cells.value(s, WRONG_PARTITION + 1));
        }
        removal = new Removal(cells);
        client = cells.value(BESIDE, 3);
        toldWrong = cells.value(BESIDE, 2);
    }

    boolean without(Without one) {
        return kind.isWithout(one);
    }

    /** What others hear of a value: it leaves when it is durable. */
    int sent(ShardStates state, int shard, Value value) {
        boolean isEarly = (shard == 1 && without(Without.TARGET_COMMITS_FIRST))
                || (shard == HandOverKind.THIRD && without(Without.HOME_COMMITS_FIRST));
        return isEarly ? value.of(state) : value.durable(state);
    }

    ShardStates start() {
        ShardStates state = new ShardStates(SHARDS);
        partitions.get(0).entry.set(state, OWNED);
        commit(state, 0);
        return state;
    }

    /** Makes durable what a shard decided. Now its answers leave. */
    void commit(ShardStates state, int shard) {
        List<Value> all = unanswered.get(shard);
        for (int n = 0; n < all.size(); n++) {
            if (all.get(n).isSet(state)) {
                truth.get(n).set(state, all.get(n).of(state) - 1);
                all.get(n).clear(state);
            }
        }
        state.commit(shard);
    }

    boolean isInMap(ShardStates state, Partition partition) {
        return partition.has == 0 ? !gone.isSet(state) : partition.inMap.isSet(state);
    }

    /** The home shard queues the directory, and has a notice for each partition. */
    void cutOff(ShardStates next) {
        cut.set(next);
        queued.set(next);
        for (Partition each : partitions) {
            boolean isTold = !without(Without.NOTICES) || each.has == 0;
            if (isInMap(next, each) && isTold) {
                cutOff(next, each, each.inMap.of(next));
            }
        }
    }

    void cutOff(ShardStates next, Partition partition, int of) {
        if (!partition.isAt(kind.home())) {
            partition.notice.set(next, of + 1);
        } else if (partition.entry.isSet(next) && partition.of.is(next, of)) {
            partition.queued.set(next);
        }
    }
}
