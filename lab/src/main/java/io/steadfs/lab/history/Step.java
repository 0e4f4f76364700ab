package io.steadfs.lab.history;

/** What happens to some names at one moment. Names are numbers from 0 on, what is at them is as {@link Contents} has it. */
sealed interface Step {
    /**
     * @param names what may be at each; not changed
     * @return the same array where it stays so, another one after a change or where more is known now; empty where the
     *     step is not possible
     */
    int[] after(int[] names);

    /** Whether it only tells what is there. */
    default boolean looks() {
        return false;
    }

    /** The same of a file that no answer names any more. */
    default Step unseen(int file) {
        return this;
    }

    /** Whether it can stand wherever the other one can, and what is there afterwards allows as much. */
    default boolean canStandFor(Step other) {
        return equals(other);
    }

    /** The answer where a step is not possible. */
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

    /** Two names at the same moment; of a rename onto itself, the same name twice. */
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

    /** What must be at a name that gets a new thing; nothing always may be. */
    enum Before {
        NOTHING,
        FILE,
        DIRECTORY
    }

    /** Makes a thing. */
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

    /** Takes away what is there. */
    record Take(int name) implements Step {
        @Override
        public int[] after(int[] names) {
            return names[name] == Contents.ABSENT ? IMPOSSIBLE : with(names, name, Contents.ABSENT);
        }
    }

    /** Brings something from elsewhere. */
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

    /** Takes what is at one name to another. */
    record Move(int source, int target, boolean replaces) implements Step {
        @Override
        public int[] after(int[] names) {
            int thing = Contents.both(names[source], Contents.SOMETHING);
            thing = thing == Contents.NONE ? thing : moved(thing, names[target], replaces);
            int[] after = with(names, target, thing);
            return after.length == 0 ? after : with(after, source, Contents.ABSENT);
        }
    }

    /** What is at the target of a rename afterwards. A file replaces a file only, a directory a directory. */
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
