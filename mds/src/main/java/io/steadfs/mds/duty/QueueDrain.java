package io.steadfs.mds.duty;

import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.store.ReadView;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Sends the things in a queue of the shard to the peers for which they are meant. Each peer is served separately. The
 * shard removes a batch from the queue only after the peer has acknowledged the batch. A peer may get a batch twice
 * without harm, but must not miss a batch. While the store is {@linkplain Held held}, the duty does nothing.
 *
 * @param <T> type of the things in the queue
 */
abstract class QueueDrain<T> implements Duty {
    /** Largest number of things in one message. */
    static final int BATCH = 1000;

    private static final long INTERVAL_MILLIS = 5_000;

    private final Supplier<ReadView> committed;
    private final Shard shard;
    private final Function<List<T>, InternalCommand<Integer>> forget;
    private final PerPeerDrain<T> drain;

    /** @param forget removes things from the queue */
    QueueDrain(
            Supplier<ReadView> committed,
            Shard shard,
            Scheduler scheduler,
            Clock clock,
            PeerLane.Pauses pauses,
            Function<List<T>, InternalCommand<Integer>> forget) {
        this.committed = committed;
        this.shard = shard;
        this.forget = forget;
        this.drain = new PerPeerDrain<>(scheduler, clock, INTERVAL_MILLIS, pauses, this::waiting, this::work);
    }

    /** The peers for which the queue has something. */
    abstract List<Integer> peers(ReadView view);

    /** The work for one peer. */
    abstract PeerWork<T> work(PeerLane<T> lane);

    @Override
    public void start() {
        drain.start();
    }

    /** Tells the duty that something was queued. May be called from any thread. */
    public void wake() {
        drain.wake();
    }

    @Override
    public void stop() {
        drain.stop();
    }

    private Optional<Set<Integer>> waiting() {
        ReadView view = committed();
        return Held.isHeld(view) ? Optional.empty() : Optional.of(new HashSet<>(peers(view)));
    }

    ReadView committed() {
        return committed.get();
    }

    /**
     * Removes the acknowledged things of a batch from the queue. Then goes on with the things after the batch.
     *
     * @param failed receives the failure if the things cannot be removed from the queue
     */
    void forget(PeerLane<T> lane, List<T> batch, List<T> acknowledged, Consumer<Throwable> failed) {
        lane.forget(batch, forget.apply(acknowledged), shard, failed);
    }
}
