package io.steadfs.client;

import java.util.random.RandomGenerator;

/** The random numbers of one client. Whoever draws from the generator on any thread locks it, as {@link #below} does. */
record ClientRandom(RandomGenerator generator) {
    /** Any number but 0. Only while the client is put together. */
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
