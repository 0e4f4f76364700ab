package io.steadfs.mds.duty;

import io.steadfs.rpc.Reply;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * The work that a {@link PerPeerDrain} does for one peer. The peer's {@link PeerLane} calls the methods on the
 * scheduler's thread.
 *
 * @param <T> one thing that waits for the peer
 */
interface PeerWork<T> {
    /**
     * Returns the next batch of things that wait for the peer; empty if nothing waits.
     *
     * @param done the last thing that was done in this pass; empty at the beginning of a pass
     */
    List<T> behind(Optional<T> done);

    /**
     * Whether a new pass begins at once after a pass has met the end. If the answer is false, this method has paused
     * the lane.
     */
    default boolean beginsAnew() {
        return true;
    }

    /** Sends a batch once. */
    CompletableFuture<Reply> send(List<T> batch);

    /** Takes the result of {@link #send}. This method continues or pauses the lane. */
    void answered(List<T> batch, Reply reply, @Nullable Throwable failure);

    /** Takes an exception that a step threw. This method logs the exception and pauses the lane. */
    void broke(Throwable cause);
}
