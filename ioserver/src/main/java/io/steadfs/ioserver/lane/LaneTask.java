package io.steadfs.ioserver.lane;

import io.steadfs.error.FsError;
import io.steadfs.rpc.Moment;
import java.io.IOException;

/** Something to do on a lane. Exactly one of {@link #run} and {@link #refuse} ends it, or run and then its waiters. */
public interface LaneTask {
    /**
     * Executes on the lane's thread, and answers there or by a waiter given to the batch.
     *
     * @throws IOException if the disk refused and nothing was changed: {@link #refuse} is then called
     */
    void run(Batch batch) throws IOException;

    /** It was not done, or {@link #run} threw. */
    void refuse(FsError error, String message);

    /** Notes for who asked when it was run, and when the commit that it waits for began and ended. */
    default void mark(Moment moment) {}

    /** Bytes that it holds while it waits. */
    default long bytes() {
        return 0;
    }

    /** Whether what comes after it must find it committed. */
    default boolean endsBatch() {
        return false;
    }
}
