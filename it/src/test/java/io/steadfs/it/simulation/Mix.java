package io.steadfs.it.simulation;

import java.util.List;
import java.util.SplittableRandom;

/** What the clients of a seed do most, how fast, and what goes wrong most. A quarter of all seeds has each mix. */
enum Mix {
    /** Everything but changes of directories that hold names. */
    FILES(120, Names.COUNT),
    /** Everything. */
    ANYTHING(120, Names.COUNT),
    /** Few files that all clients write, take away and read. */
    WRITERS(40, Names.IN_DIRECTORY + 1),
    /** Only changes of directories, and uses of names below them, with hardly a pause. */
    DIRECTORIES(8, Names.COUNT);

    private final long longestPauseMillis;
    private final int names;

    Mix(long longestPauseMillis, int names) {
        this.longestPauseMillis = longestPauseMillis;
        this.names = names;
    }

    static Mix of(long seed) {
        return values()[(int) Long.remainderUnsigned(seed, values().length)];
    }

    /**
     * Whether directories move away and back, are closed and removed meanwhile. With a walk from shard to shard, two
     * directories of a path are looked up at two moments; so what is below a moved directory has no order then.
     */
    boolean movesDirectories() {
        return this == ANYTHING || this == DIRECTORIES;
    }

    /** Between the steps of a client. */
    long longestPauseMillis() {
        return longestPauseMillis;
    }

    /** Copies of directories are given from one to another, so changes of directories are looked at with two at least. */
    int leastMetadataServers() {
        return this == DIRECTORIES ? 2 : 1;
    }

    /** Of names outside of the wild tree. */
    int names() {
        return names;
    }

    /** Kinds of every other fault; empty if all kinds are as frequent. */
    private List<Fault.Kind> frequent() {
        return switch (this) {
            case FILES, ANYTHING -> List.of();
            case WRITERS -> List.of(Fault.Kind.BAD_NETWORK, Fault.Kind.CLIENT_STOP);
            case DIRECTORIES ->
                List.of(
                        Fault.Kind.BAD_NETWORK,
                        Fault.Kind.LATE_COPIES,
                        Fault.Kind.SLOW_DISK,
                        Fault.Kind.SLOW_DISK,
                        Fault.Kind.CUT);
        };
    }

    Fault.Kind fault(SplittableRandom random) {
        List<Fault.Kind> frequent = frequent();
        List<Fault.Kind> kinds = !frequent.isEmpty() && random.nextBoolean() ? frequent : Fault.Kind.BY_CHANCE;
        return kinds.get(random.nextInt(kinds.size()));
    }

    Step.IoOperation verb(SplittableRandom random) {
        return switch (this) {
            case FILES, ANYTHING -> anything(random, movesDirectories());
            case WRITERS -> ofWriters(random);
            case DIRECTORIES -> ofDirectories(random);
        };
    }

    private static Step.IoOperation ofDirectories(SplittableRandom random) {
        return switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4 -> Step.IoOperation.AWAY;
            case 5, 6 -> Step.IoOperation.CLOSE;
            case 7, 8, 9 -> Step.IoOperation.STAT;
            case 10, 11 -> Step.IoOperation.STAT_AWAY;
            case 12, 13, 14 -> Step.IoOperation.CREATE;
            case 15, 16, 17 -> Step.IoOperation.RENAME;
            case 18 -> Step.IoOperation.MKDIR;
            default -> Step.IoOperation.DELETE;
        };
    }

    private static Step.IoOperation ofWriters(SplittableRandom random) {
        return switch (random.nextInt(20)) {
            case 0, 1, 2, 3, 4 -> Step.IoOperation.APPEND;
            case 5, 6, 7, 8 -> Step.IoOperation.TAKE;
            case 9 -> Step.IoOperation.RECOVER;
            case 10, 11, 12 -> Step.IoOperation.CREATE;
            case 13, 14 -> Step.IoOperation.REPLACE;
            case 15, 16, 17 -> Step.IoOperation.READ;
            case 18 -> Step.IoOperation.RENAME;
            default -> Step.IoOperation.DELETE;
        };
    }

    private static Step.IoOperation anything(SplittableRandom random, boolean movesDirectories) {
        return switch (random.nextInt(54)) {
            case 0, 1 -> Step.IoOperation.MKDIR;
            case 2, 3, 4, 5, 6 -> Step.IoOperation.CREATE;
            case 7, 8, 9 -> Step.IoOperation.REPLACE;
            case 10, 11, 12, 13, 14 -> Step.IoOperation.APPEND;
            case 15, 16 -> Step.IoOperation.RECOVER;
            case 17, 36 -> Step.IoOperation.TAKE;
            case 18, 19, 20 -> Step.IoOperation.DELETE;
            case 21, 22, 23, 24, 25, 26 -> Step.IoOperation.RENAME;
            case 27, 28 -> Step.IoOperation.STAT;
            case 29 -> movesDirectories ? Step.IoOperation.STAT_AWAY : Step.IoOperation.STAT;
            case 30, 31 -> Step.IoOperation.READ;
            case 47, 48, 49, 50, 51 -> movesDirectories ? Step.IoOperation.AWAY : Step.IoOperation.RENAME;
            case 52, 53 -> movesDirectories ? Step.IoOperation.CLOSE : Step.IoOperation.RENAME;
            case 32 -> Step.IoOperation.WILD_MAKE;
            case 33 -> Step.IoOperation.WILD_MOVE;
            case 34 -> Step.IoOperation.WILD_DELETE;
            case 35 -> random.nextBoolean() ? Step.IoOperation.WILD_LIST : Step.IoOperation.WILD_SUM;
            case 43, 44, 45 -> Step.IoOperation.LIST;
            case 37, 38 -> Step.IoOperation.WILD_CREATE;
            case 39 -> Step.IoOperation.WILD_APPEND;
            case 40 -> Step.IoOperation.WILD_CUT;
            case 41 -> Step.IoOperation.WILD_READ;
            case 42 -> Step.IoOperation.WILD_MODE;
            default ->
                switch (random.nextInt(5)) {
                    case 0 -> Step.IoOperation.WILD_SET_XATTR;
                    case 1 -> Step.IoOperation.WILD_LINK;
                    case 2 -> Step.IoOperation.WILD_GET_XATTRS;
                    case 3 -> Step.IoOperation.WILD_REMOVE_XATTR;
                    default -> Step.IoOperation.LEAVE;
                };
        };
    }
}
