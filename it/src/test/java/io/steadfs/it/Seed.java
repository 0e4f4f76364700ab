package io.steadfs.it;

import java.util.Random;

/** What all random choices of a run follow from. */
public final class Seed {
    /** {@code -Dstead.seed=}, else one that the processes of one build share, else a new one; printed. */
    public static final long OF_RUN =
            Long.getLong("stead.seed", Long.getLong("seed.of.build", new Random().nextLong()));

    static {
        System.out.println("seed of this run: -Dstead.seed=" + OF_RUN);
    }

    private Seed() {}
}
