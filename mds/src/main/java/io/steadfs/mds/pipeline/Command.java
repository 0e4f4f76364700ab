package io.steadfs.mds.pipeline;

import io.steadfs.error.FsError;
import io.steadfs.store.ReadView;

/**
 * Something to decide on the shard's writer. {@link #decide} is pure: it reads only the view and the inputs, and changes
 * nothing. The writer calls exactly one of {@link #answered}, {@link #failed} and {@link #dropped}, once.
 */
public interface Command<A> {
    /** Decides. A refusal is an answer, not an exception. An exception is answered as a fault, and nothing is done. */
    Decision<A> decide(ReadView view, Inputs inputs);

    /** This command is decided next. */
    default void deciding() {}

    /** The batch with this decision is about to be written to the log. Called only if there is anything to write. */
    default void committing() {}

    /** The batch was written. {@link #answered} comes next. */
    default void committed() {}

    /** The batch with this decision is committed. */
    void answered(A answer);

    /** The batch could not be committed. It is unknown what the disk kept, so nothing may be answered as done. */
    void failed(Throwable cause);

    /**
     * The command was not decided, or its decision was thrown away before the commit. Nothing was done.
     *
     * @param error BUSY, UNAVAILABLE, CANCELLED, or FAULT for the command whose decision broke
     */
    void dropped(FsError error, String why);

    /** Whether nobody waits for the answer any more, so that the command need not be done. Asked before the decision. */
    default boolean isCancelled() {
        return false;
    }

    /** Rough size of this command in the queue and in a batch, in bytes. */
    default int sizeBytes() {
        return 256;
    }
}
