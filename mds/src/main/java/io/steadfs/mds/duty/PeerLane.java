package io.steadfs.mds.duty;

import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.time.Clock;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Function;

/**
 * The lane of one peer in a {@link PerPeerDrain}. A lane has at most one batch under way. If its peer fails, the lane
 * pauses, and each pause is longer than the one before.
 *
 * <p>A lane whose work comes from rows of the store goes through the rows in key order. After the last row, the lane
 * begins again at the first one. So the lane does not step again and again over rows that the store has deleted but not
 * yet cleared away.
 */
final class PeerLane<T> {
    private final int peer;
    private final Pacer pacer;
    private final Clock clock;
    private final Pauses pauses;
    private final Backoff backoff;
    private final PeerWork<T> work;
    private Optional<T> done = Optional.empty();
    private boolean busy;
    private long notBeforeNanos;

    /**
     * How long a lane pauses after a failure.
     *
     * @param firstMillis first pause
     * @param longestMillis longest pause
     * @param endByThemselves true if the lane goes on by itself after a pause; false if it waits for the next round
     */
    record Pauses(long firstMillis, long longestMillis, boolean endByThemselves) {}

    PeerLane(int peer, Pacer pacer, Clock clock, Pauses pauses, Function<PeerLane<T>, PeerWork<T>> work) {
        this.peer = peer;
        this.pacer = pacer;
        this.clock = clock;
        this.pauses = pauses;
        this.backoff = new Backoff(pauses.firstMillis(), pauses.longestMillis());
        this.notBeforeNanos = clock.monotonicNanos();
        this.work = work.apply(this);
    }

    int peer() {
        return peer;
    }

    /** Whether the lane may be dropped, provided that nothing waits for its peer. */
    boolean isOver() {
        return !busy && (pauses.endByThemselves() || isPauseOver());
    }

    private boolean isPauseOver() {
        return clock.monotonicNanos() - notBeforeNanos >= 0;
    }

    void beginIfIdle() {
        if (!busy && isPauseOver()) {
            Pacer.step(this::next, work::broke);
        }
    }

    private void next() {
        List<T> batch = work.behind(done);
        if (batch.isEmpty() && done.isPresent()) {
            done = Optional.empty();
            batch = work.beginsAnew() ? work.behind(done) : List.of();
        }
        busy = !batch.isEmpty();
        if (busy) {
            send(batch);
        }
    }

    private void send(List<T> batch) {
        pacer.when(work.send(batch), (reply, failure) -> work.answered(batch, reply, failure), work::broke);
    }

    /**
     * Submits the command that forgets a batch which the peer has acknowledged. After the command the lane goes on
     * behind the batch.
     *
     * @param failed takes the failure of the command
     */
    void forget(List<T> batch, InternalCommand<Integer> command, Shard shard, Consumer<Throwable> failed) {
        pacer.when(
                command.outcome(),
                (count, failure) -> {
                    if (failure != null) {
                        failed.accept(failure);
                    } else {
                        done = Optional.of(batch.get(batch.size() - 1));
                        goOn();
                    }
                },
                work::broke);
        shard.submit(command);
    }

    /** Ends a batch that succeeded, and goes on with the next one. */
    void goOn() {
        backoff.succeeded();
        next();
    }

    /** Notes that a batch failed. Returns how long to pause now, in milliseconds. */
    long failed() {
        return backoff.failed();
    }

    void pause(long pauseMillis) {
        busy = false;
        notBeforeNanos = clock.monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
        if (pauses.endByThemselves()) {
            pacer.later(pauseMillis, this::beginIfIdle);
        }
    }
}
