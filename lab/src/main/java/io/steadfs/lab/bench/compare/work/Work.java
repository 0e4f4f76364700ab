package io.steadfs.lab.bench.compare.work;

import java.io.IOException;

/** What one thread does in each round. One thread at a time uses it. Whatever an operation answers is checked. */
public interface Work {
    /** Makes what so many operations need, names of paths too; not timed. */
    default void prepare(int operations) throws IOException {}

    /** Does the operations, which is all that is timed. */
    void run(int operations) throws IOException;

    /** Leaves the ground as it was; not timed. */
    default void clean() throws IOException {}
}
