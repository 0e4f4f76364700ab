package io.steadfs.it.exhaustive;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which hand overs a model has, what it has beside them, and what is left out.
 *
 * @param names for each name, how many hand overs give it: 0 = it stays, 2 = it goes there and back
 * @param home number of the home shard
 * @param handOvers for each, whether it is from Q to R; the others are from P to Q. Those that are given up are among
 *     them
 * @param changes most changes of names
 * @param late shards whose commits come later than their decisions
 */
record HandOverKind(
        List<Integer> names,
        int home,
        List<Boolean> handOvers,
        int changes,
        Set<Integer> late,
        Set<More> more,
        Set<Without> without) {
    /** Number of the shard that is the home shard and nothing else. */
    static final int THIRD = 2;

    /** What is left out. */
    enum Without {
        // The source.
        /** Names of the range do not change from the begin on. */
        NAMES_STAY,
        /** The decision looks whether the names are those that were sent. */
        NAMES_READ_AGAIN,
        /** Names change again only when no intent is undecided. */
        END_WAITS,
        /** A hand over does not begin while a rename holds a name. */
        BEGIN_WITHOUT_HELD,
        /** A rename holds no name of a range that is given. */
        NO_HOLD_WHILE_GIVEN,
        /** A partition that is held for its removal gives nothing. */
        FROZEN_GIVES_NOTHING,
        /** A partition that is to be cleared gives nothing. */
        QUEUED_GIVES_NOTHING,
        /** The names go in the batch with the decision. */
        NAMES_GO,
        /** The home shard is prepared, too. */
        HOME_HELD,
        /** A shard that starts undoes its open intents. */
        START_UNDOES,
        /** An intent is closed only when both others have done their part. */
        ALL_TOLD,
        // All.
        /** A prepare leaves after its intent was committed. */
        OPENED_FIRST,
        /** A finish leaves after the decision was committed. */
        DECIDED_FIRST,
        /** What the target sends leaves after the commit. */
        TARGET_COMMITS_FIRST,
        /** What the home shard sends leaves after the commit. */
        HOME_COMMITS_FIRST,
        /** A prepare that comes after the finish is refused. */
        LATE_PREPARE,
        /** What was prepared stays until its finish. */
        PREPARED_STAYS,
        // The target.
        /** The target serves the names only after the decision. */
        SOURCE_FIRST,
        /** The target takes no names where some are staged. */
        ONE_STAGED,
        /** The target takes no name that a rename holds. */
        HELD_NOT_TAKEN,
        // The home shard.
        /** Nothing is held for a hand over while the directory is held for its removal. */
        FROZEN_HOME,
        /** Nothing is held for a hand over if the directory goes with all its names. */
        QUEUED_HOME,
        /** One hand over holds an entry of the map. */
        ENTRY_ONCE,
        /** A hand over holds the entry only if it is as the source says. */
        ENTRY_AS_SAID,
        /** The end of a hand over cuts the new partition off, if the directory goes with all its names. */
        CUT_OFF_AT_END,
        // Removal.
        /** An empty directory is not removed while a hand over holds an entry of its map. */
        HELD_ENTRY,
        /** A directory that gives names is not held for its removal. */
        GIVING_IS_NOT_FROZEN,
        /** The home shard is held first. */
        HOME_FIRST,
        /** A name that a rename holds counts. */
        HELD_NAME_COUNTS,
        /** Each partition is told when the directory goes with all its names. */
        NOTICES,
        // Clients.
        /** A client takes a request that was not answered to no other shard. */
        SETTLED_WHERE_IT_WAS_SENT,
        /** A shard that says that it does not own a name records that it said so. */
        RECORD_OF_WRONG_PARTITION
    }

    /** What a model may have or not, so that there are fewer states. */
    enum More {
        /** A rename of another shard may hold the first name, once. */
        RENAME,
        /** A client asks for the first name, once. */
        REQUEST,
        /** The directory may be removed by another shard, if it has no names. */
        REMOVAL,
        /** The directory may be removed by its home shard, if it has no names. */
        REMOVAL_BY_HOME,
        /** The directory may be removed with all its names. */
        REMOVAL_WITH_NAMES
    }

    static HandOverKind of(int home, int changes, More... more) {
        return new HandOverKind(List.of(2), home, List.of(false), changes, Set.of(), Set.of(more), Set.of());
    }

    HandOverKind names(Integer... all) {
        return new HandOverKind(List.of(all), home, handOvers, changes, late, more, without);
    }

    /** One more attempt from P to Q. */
    HandOverKind again() {
        List<Boolean> all = new ArrayList<>(handOvers);
        all.add(false);
        return new HandOverKind(names, home, all, changes, late, more, without);
    }

    HandOverKind andBack() {
        List<Boolean> all = new ArrayList<>(handOvers);
        all.add(true);
        return new HandOverKind(names, home, all, changes, late, more, without);
    }

    HandOverKind late(Integer... shards) {
        return new HandOverKind(names, home, handOvers, changes, Set.of(shards), more, without);
    }

    HandOverKind without(Without... rules) {
        return new HandOverKind(names, home, handOvers, changes, late, more, Set.of(rules));
    }

    boolean has(More one) {
        return more.contains(one);
    }

    boolean isWithout(Without one) {
        return without.contains(one);
    }

    @Override
    public String toString() {
        StringBuilder path = new StringBuilder();
        handOvers.forEach(isBack -> path.append(isBack ? " Q-R" : " P-Q"));
        return "hand overs" + path + " of names " + names + ", home shard " + home + ", " + changes + " changes"
                + (late.isEmpty() ? "" : ", late commits of shards " + new TreeSet<>(late))
                + (more.isEmpty() ? "" : ", " + new TreeSet<>(more))
                + (without.isEmpty() ? "" : ", without " + EnumSet.copyOf(without));
    }
}
