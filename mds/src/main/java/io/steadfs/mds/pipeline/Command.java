package io.steadfs.mds.pipeline;

import io.steadfs.store.ReadView;

/**
 * Something to decide on the shard's writer. {@link #decide} is pure: it reads the view and the inputs, nothing else,
 * and changes nothing. {@link #answered} or {@link #failed} is called once, after the batch.
 */
public interface Command<A> {
    /** Refuses by answer, not by exception: an exception is a fault that stops the shard. */
    Decision<A> decide(ReadView view, Inputs inputs);

    /** The batch with this decision is committed. */
    void answered(A answer);

    /** The batch could not be committed; what the disk kept is unknown and nothing may be answered as done. */
    void failed(Throwable cause);
}
