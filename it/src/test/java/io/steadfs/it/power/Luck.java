package io.steadfs.it.power;

import java.util.Random;

/**
 * What a disk kept of all that was not synced. Without luck nothing; else each thing or not, as the seed has it.
 *
 * <p>A loss has one share: how likely a thing is kept. Entries of directories are kept either in order of time (a prefix
 * of all changes of the disk, as with a journal) or each by itself (as without one).
 */
final class Luck {
    private static final int ONE_IN_TORN = 8;

    private final Random random;
    private final double share;
    private final boolean ordered;

    private Luck(Random random, double share, boolean ordered) {
        this.random = random;
        this.share = share;
        this.ordered = ordered;
    }

    static Luck none() {
        return new Luck(new Random(0), 0, false);
    }

    static Luck of(long seed) {
        Random random = new Random(seed);
        return new Luck(random, random.nextDouble(), random.nextBoolean());
    }

    boolean ordered() {
        return ordered;
    }

    boolean keeps() {
        return random.nextDouble() < share;
    }

    /** Whether a page was being written at the moment of the loss. */
    boolean tears() {
        return random.nextInt(ONE_IN_TORN) == 0;
    }

    boolean coin() {
        return random.nextBoolean();
    }

    /** 0 up to and without the bound. */
    int among(int bound) {
        return random.nextInt(bound);
    }
}
