package io.steadfs.lab.bench.compare.work;

import io.steadfs.lab.bench.pace.Latencies;
import java.io.IOException;

/**
 * The operations that one thread does in each round. Only one thread at a time uses a work. A work checks the result of
 * every operation.
 */
public interface Work {
    /** Makes files and path names for this number of operations. The time for this method does not count. */
    default void prepare(int operations) throws IOException {}

    /**
     * Does the operations. Only the time for this method counts. Also records how long each operation takes, from call
     * to return. A stream is recorded once, from open to close, however many MiB it has.
     *
     * @param latencies what only this thread records in
     */
    void run(int operations, Latencies latencies) throws IOException;

    /** Removes what the round left behind. The time for this method does not count. */
    default void clean() throws IOException {}
}
