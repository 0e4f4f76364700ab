package io.steadfs.client;

import java.util.random.RandomGenerator;

/**
 * Draws the random numbers of one client. Any thread may call {@link #below}, because that method locks the generator.
 */
record ClientRandom(RandomGenerator generator) {
    /**
     * Draws a number other than 0. Only the constructor of the client may call this method, because this method does
     * not lock the generator.
     */
    long holder() {
        long holder = generator.nextLong();
        return holder == 0 ? 1 : holder;
    }

    /** Draws a number that is at least 0 and below the bound. */
    int below(int bound) {
        synchronized (generator) {
            return generator.nextInt(bound);
        }
    }
}
