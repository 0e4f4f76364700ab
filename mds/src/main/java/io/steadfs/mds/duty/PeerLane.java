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
 * The lane of one peer in a {@link PerPeerDrain}, with one batch under way. A lane whose peer fails waits longer and longer.
 *
 * <p>A lane over rows goes through them in key order and starts again at the beginning when it meets the end. So it does not
 * step again and again over rows that the store has deleted but not yet cleared away.
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
     * How long a lane waits after a failure.
     *
     * @param endByThemselves whether the lane begins again by itself after a pause. Otherwise it begins with the next round
     *     after the pause, so it is kept until then
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

    /** Whether the lane has nothing to remember, if nothing waits for its peer. */
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
     * The peer has acknowledged the batch. Submits the command that forgets it, and then goes on behind the batch.
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

    /** The batch succeeded. Goes on with the next one. */
    void goOn() {
        backoff.succeeded();
        next();
    }

    /** A batch failed. Returns how long to pause now. */
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
