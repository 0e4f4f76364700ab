package io.steadfs.ioserver.lane;

import io.steadfs.error.FsError;
import io.steadfs.rpc.Moment;
import java.io.IOException;

/**
 * A task for a lane. A task ends in exactly one of three ways: by {@link #run}, by {@link #refuse}, or by a waiter that
 * run gave to the batch.
 */
public interface LaneTask {
    /**
     * Executes the task on the lane's thread. The task answers at once, or through a waiter that it gives to the batch.
     *
     * @throws IOException if the disk failed and nothing was changed; the lane then calls {@link #refuse}
     */
    void run(Batch batch) throws IOException;

    /** The lane calls this method if the task was not executed, or if {@link #run} threw an exception. */
    void refuse(FsError error, String message);

    /** Notes when the task was run, and when the commit that the task waits for began and ended. */
    default void mark(Moment moment) {}

    /** Number of bytes that the task holds while it waits. */
    default long bytes() {
        return 0;
    }

    /** Whether later tasks must find this task committed. */
    default boolean endsBatch() {
        return false;
    }
}
