package io.steadfs.mds.duty;

import io.steadfs.rpc.Reply;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/**
 * What a {@link PerPeerDrain} does for one peer. The {@link PeerLane} of the peer calls it, on the scheduler's thread.
 *
 * @param <T> one thing that waits for the peer
 */
interface PeerWork<T> {
    /**
     * What waits for the peer: the next batch of it.
     *
     * @param done the last thing that was done in this pass; empty at the beginning of a pass
     */
    List<T> behind(Optional<T> done);

    /** A pass met the end. Whether the next pass begins at once. If not, this method has paused the lane. */
    default boolean beginsAnew() {
        return true;
    }

    /** Sends a batch once. */
    CompletableFuture<Reply> send(List<T> batch);

    /** The result of {@link #send}. This method goes on with the lane, or pauses it. */
    void answered(List<T> batch, Reply reply, @Nullable Throwable failure);

    /** A step threw an exception. This method logs what broke and pauses the lane. */
    void broke(Throwable cause);
}
