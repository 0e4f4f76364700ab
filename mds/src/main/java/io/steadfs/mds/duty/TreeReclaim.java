package io.steadfs.mds.duty;

import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.Clearing;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.store.ReadView;
import io.steadfs.time.Scheduler;
import java.util.List;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Clears directories that were cut off from the namespace. One bounded command runs at a time. Between two commands the
 * shard's writer serves clients.
 */
public final class TreeReclaim implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(TreeReclaim.class);

    private static final long INTERVAL_MILLIS = 5_000;

    private final Supplier<ReadView> committed;
    private final Shard shard;
    private final Function<Handle, InternalCommand<Clearing>> reclaim;
    private final Pacer pacer;
    private final Backoff backoff = new Backoff(100, INTERVAL_MILLIS);

    /** Whether a directory is being cleared. This field and the next are owned by the scheduler's thread. */
    private boolean busy;

    /** The directory that this pass cleared or gave up last. */
    private Handle last = Handle.NONE;

    /** @param reclaim makes the command for one step of clearing a directory */
    public TreeReclaim(
            Supplier<ReadView> committed,
            Shard shard,
            Scheduler scheduler,
            Function<Handle, InternalCommand<Clearing>> reclaim) {
        this.committed = committed;
        this.shard = shard;
        this.reclaim = reclaim;
        this.pacer = new Pacer(scheduler, INTERVAL_MILLIS, this::round);
    }

    @Override
    public void start() {
        pacer.start();
    }

    /** Says that a tree was queued. May be called from any thread. */
    public void wake() {
        pacer.wake();
    }

    @Override
    public void stop() {
        pacer.stop();
    }

    private void round() {
        if (Held.isHeld(committed.get())) {
            return;
        }
        if (!busy) {
            goOn();
        }
    }

    private void goOn() {
        Pacer.step(this::next, this::broke);
    }

    /** Handles an exception that a step threw. The next pass meets the directory again, as after a failure. */
    private void broke(Throwable cause) {
        LOG.error("clearing directories broke", cause);
        later();
    }

    private void later() {
        busy = true;
        pacer.later(backoff.failed(), this::goOn);
    }

    /**
     * Goes on with the next directory in handle order. After the last directory, this method goes on with the first
     * one. Subdirectories join the queue during a pass. A directory that failed is met again in the next pass and
     * delays no other.
     */
    private void next() {
        List<Handle> trees = DeletionQueue.trees(committed.get(), last, 1);
        if (trees.isEmpty() && !last.isNone()) {
            trees = DeletionQueue.trees(committed.get(), Handle.NONE, 1);
        }
        if (trees.isEmpty()) {
            busy = false;
            last = Handle.NONE;
        } else {
            busy = true;
            last = trees.get(0);
            step(last);
        }
    }

    private void step(Handle directory) {
        InternalCommand<Clearing> command = reclaim.apply(directory);
        pacer.when(command.outcome(), (clearing, failure) -> stepped(directory, clearing, failure), this::broke);
        shard.submit(command);
    }

    private void stepped(Handle directory, Clearing clearing, @Nullable Throwable failure) {
        if (failure != null) {
            LOG.warn("could not clear directory {} yet: {}", directory, failure.toString());
            later();
            return;
        }
        switch (clearing) {
            case MORE -> {
                backoff.succeeded();
                step(directory);
            }
            case DONE -> {
                backoff.succeeded();
                next();
            }
            case HELD -> later();
        }
    }
}
