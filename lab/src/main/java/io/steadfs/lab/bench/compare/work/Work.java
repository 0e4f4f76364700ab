package io.steadfs.lab.bench.compare.work;

import java.io.IOException;

/**
 * The operations that one thread does in each round. Only one thread at a time uses a work. A work checks the result of
 * every operation.
 */
public interface Work {
    /** Makes files and path names for this number of operations. The time for this method does not count. */
    default void prepare(int operations) throws IOException {}

    /** Does the operations. Only the time for this method counts. */
    void run(int operations) throws IOException;

    /** Removes what the round left behind. The time for this method does not count. */
    default void clean() throws IOException {}
}
