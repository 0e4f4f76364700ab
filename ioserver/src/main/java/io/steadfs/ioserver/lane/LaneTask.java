package io.steadfs.ioserver.lane;

import io.steadfs.error.FsError;
import io.steadfs.rpc.Moment;
import java.io.IOException;

/** A task for a lane. It ends by exactly one of these: {@link #run}, {@link #refuse}, or run followed by its waiters. */
public interface LaneTask {
    /**
     * Executes on the lane's thread, and answers there or by a waiter given to the batch.
     *
     * @throws IOException if the disk refused and nothing was changed: then {@link #refuse} is called
     */
    void run(Batch batch) throws IOException;

    /** Called if the task was not executed, or if {@link #run} threw. */
    void refuse(FsError error, String message);

    /** Notes for the caller when the task was run, and when the commit that it waits for began and ended. */
    default void mark(Moment moment) {}

    /** Bytes that the task holds while it waits. */
    default long bytes() {
        return 0;
    }

    /** Whether later tasks must find this one committed. */
    default boolean endsBatch() {
        return false;
    }
}
