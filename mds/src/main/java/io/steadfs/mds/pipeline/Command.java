package io.steadfs.mds.pipeline;

import io.steadfs.error.FsError;
import io.steadfs.store.ReadView;

/**
 * Something to decide on the shard's writer. {@link #decide} is pure: it reads the view and the inputs, nothing else,
 * and changes nothing. Exactly one of {@link #answered}, {@link #failed} and {@link #dropped} is called, once.
 */
public interface Command<A> {
    /** Refuses by answer, not by exception: an exception is a fault, answered as one, and nothing is done. */
    Decision<A> decide(ReadView view, Inputs inputs);

    /** It is decided next. */
    default void deciding() {}

    /** The batch with this decision is written to the log; where there is anything to write. */
    default void committing() {}

    /** That is done, and {@link #answered} comes next. */
    default void committed() {}

    /** The batch with this decision is committed. */
    void answered(A answer);

    /** The batch could not be committed; what the disk kept is unknown and nothing may be answered as done. */
    void failed(Throwable cause);

    /**
     * It was not decided, or its decision was thrown away before the commit: nothing was done.
     *
     * @param error BUSY, UNAVAILABLE, CANCELLED, or FAULT for the command whose decision broke
     */
    void dropped(FsError error, String why);

    /** Asked before deciding: nobody waits for the answer any more, so it may as well not be done. */
    default boolean isCancelled() {
        return false;
    }

    /** Roughly what it takes in the queue and adds to a batch, in bytes. */
    default int sizeBytes() {
        return 256;
    }
}
