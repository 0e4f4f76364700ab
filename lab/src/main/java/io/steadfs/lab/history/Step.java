package io.steadfs.lab.history;

/**
 * A change or a look at some names at one moment. Names are numbers from 0 on. {@link Contents} numbers the contents of
 * names.
 */
sealed interface Step {
    /**
     * Applies the step.
     *
     * @param names possible contents of each name; the method does not change the array
     * @return the same array if nothing changes and nothing new is known; else another array; empty = the step is
     *     impossible
     */
    int[] after(int[] names);

    /** Returns whether the step only looks and changes nothing. */
    default boolean looks() {
        return false;
    }

    /** Returns the same step for a file that no later answer names. */
    default Step unseen(int file) {
        return this;
    }

    /**
     * Returns whether this step is possible wherever the other step is possible. The contents after this step must
     * allow everything that the contents after the other step allow.
     */
    default boolean canStandFor(Step other) {
        return equals(other);
    }

    /** The result of {@link #after} if the step is impossible. */
    int[] IMPOSSIBLE = {};

    private static int[] with(int[] names, int name, int thing) {
        if (thing == Contents.NONE) {
            return IMPOSSIBLE;
        }
        if (names[name] == thing) {
            return names;
        }
        int[] after = names.clone();
        after[name] = thing;
        return after;
    }

    record Look(int name, int seen) implements Step {
        @Override
        public int[] after(int[] names) {
            return with(names, name, Contents.both(names[name], seen));
        }

        @Override
        public boolean looks() {
            return true;
        }
    }

    /** Looks at two names at the same moment. For a rename of a name onto itself, both names are the same. */
    record LookAtBoth(Look one, Look other) implements Step {
        @Override
        public int[] after(int[] names) {
            int[] after = one.after(names);
            return after.length == 0 ? after : other.after(after);
        }

        @Override
        public boolean looks() {
            return true;
        }
    }

    /** The thing that a new thing may replace. A free name is always allowed. */
    enum Before {
        NOTHING,
        FILE,
        DIRECTORY
    }

    /** Creates a thing under a name. */
    record Put(int name, Before before, int thing) implements Step {
        @Override
        public int[] after(int[] names) {
            int now = names[name];
            boolean free = now == Contents.ABSENT || now == Contents.ANYTHING;
            boolean possible = free
                    || switch (before) {
                        case NOTHING -> false;
                        case FILE -> now != Contents.DIRECTORY;
                        case DIRECTORY -> now == Contents.DIRECTORY || now == Contents.SOMETHING;
                    };
            return possible ? with(names, name, thing) : IMPOSSIBLE;
        }

        @Override
        public Step unseen(int file) {
            return thing == file ? new Put(name, before, Contents.UNSEEN) : this;
        }

        @Override
        public boolean canStandFor(Step other) {
            return other instanceof Put put
                    && put.name == name
                    && (put.before == before || put.before == Before.NOTHING)
                    && Contents.allowsAll(thing, put.thing);
        }
    }

    /** Removes the thing that has a name. */
    record Take(int name) implements Step {
        @Override
        public int[] after(int[] names) {
            return names[name] == Contents.ABSENT ? IMPOSSIBLE : with(names, name, Contents.ABSENT);
        }
    }

    /** Gives a name to a thing that had a name outside of the group before. */
    record Receive(int name, boolean replaces) implements Step {
        @Override
        public int[] after(int[] names) {
            int thing = moved(Contents.SOMETHING, names[name], replaces);
            return with(names, name, thing);
        }

        @Override
        public boolean canStandFor(Step other) {
            if (other instanceof Receive receive) {
                return receive.name == name && (replaces || !receive.replaces);
            }
            return other instanceof Put put
                    && put.name == name
                    && (put.before == Before.NOTHING || (replaces && put.before == Before.FILE));
        }
    }

    /** Moves a thing from one name to another. */
    record Move(int source, int target, boolean replaces) implements Step {
        @Override
        public int[] after(int[] names) {
            int thing = Contents.both(names[source], Contents.SOMETHING);
            thing = thing == Contents.NONE ? thing : moved(thing, names[target], replaces);
            int[] after = with(names, target, thing);
            return after.length == 0 ? after : with(after, source, Contents.ABSENT);
        }
    }

    /**
     * Returns the contents of the target after a rename. A file may replace only a file, and a directory only a
     * directory.
     */
    private static int moved(int thing, int replaced, boolean replaces) {
        if (replaced == Contents.ABSENT || replaced == Contents.ANYTHING) {
            return thing;
        }
        if (!replaces) {
            return Contents.NONE;
        }
        return switch (replaced) {
            case Contents.SOMETHING -> thing;
            case Contents.DIRECTORY -> Contents.both(thing, Contents.DIRECTORY);
            default -> Contents.both(thing, Contents.FILE);
        };
    }
}
