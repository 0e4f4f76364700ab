package io.steadfs.client;

import java.util.random.RandomGenerator;

/** Draws the random numbers of one client. Whoever draws on any thread locks the generator, as {@link #below} does. */
record ClientRandom(RandomGenerator generator) {
    /** Any number but 0. May be drawn only while the client is put together, since nothing is locked. */
    long holder() {
        long holder = generator.nextLong();
        return holder == 0 ? 1 : holder;
    }

    /** A number below the bound. */
    int below(int bound) {
        synchronized (generator) {
            return generator.nextInt(bound);
        }
    }
}
