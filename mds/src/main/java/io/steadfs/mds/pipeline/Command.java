package io.steadfs.mds.pipeline;

import io.steadfs.error.FsError;
import io.steadfs.store.ReadView;

/**
 * A command for the shard's writer to decide. {@link #decide} is pure: it reads only the view and the inputs, and
 * changes nothing. The writer calls exactly one of {@link #answered}, {@link #failed} and {@link #dropped}, once.
 */
public interface Command<A> {
    /**
     * Decides the command. A refusal is an answer and not an exception. If the method throws an exception, the answer
     * is FAULT and nothing is done.
     */
    Decision<A> decide(ReadView view, Inputs inputs);

    /** Called before the decision of this command. */
    default void deciding() {}

    /** Called before the batch with this decision is written to the log. Not called if there is nothing to write. */
    default void committing() {}

    /** Called after the batch was written. {@link #answered} comes next. */
    default void committed() {}

    /** Called after the batch with this decision is committed. */
    void answered(A answer);

    /**
     * Called if the batch could not be committed. Nobody knows what the disk kept, so no command of the batch may be
     * answered as done.
     */
    void failed(Throwable cause);

    /**
     * Called if the command was not decided, or if its decision was thrown away before the commit. The command changed
     * nothing.
     *
     * @param error BUSY, UNAVAILABLE or CANCELLED; FAULT for the command whose decision broke; TIMED_OUT if another
     *     command may carry out the same request, or may have done so
     */
    void dropped(FsError error, String why);

    /**
     * Returns whether nobody waits for the answer any more. The writer asks before the decision and drops a cancelled
     * command.
     */
    default boolean isCancelled() {
        return false;
    }

    /**
     * Returns whether the thread that submits this command may decide and commit it, if the shard is idle. That thread
     * may then wait for the disk.
     */
    default boolean mayRunHere() {
        return false;
    }

    /**
     * Returns whether the thread that submits this command may decide it, and a few other queued commands, while the
     * shard commits. Deciding reads rows, and does not wait for a commit.
     */
    default boolean mayBeDecidedHere() {
        return false;
    }

    /** Returns the rough size of this command in the queue and in a batch, in bytes. */
    default int sizeBytes() {
        return 256;
    }
}
