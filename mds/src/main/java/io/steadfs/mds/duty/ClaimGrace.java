package io.steadfs.mds.duty;

import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.mds.session.Claims;
import io.steadfs.store.ReadView;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Ends the grace after a start of the shard, in which sessions claim their untouched files again. The grace begins when
 * the shard is ready, and lasts one and a half durations of a session. A live session renews itself at least once in a
 * duration, and sends its claims as often. {@link SessionReaper} calls the rounds, on the scheduler's thread.
 */
public final class ClaimGrace implements SessionReaper.Grace {
    private final Supplier<ReadView> committed;
    private final Shard shard;
    private final long nanos;
    private final Supplier<InternalCommand<Boolean>> end;

    private boolean begun;
    private long begunNanos;

    /** @param end makes the command that ends the grace; the command may come twice */
    public ClaimGrace(
            Supplier<ReadView> committed, Shard shard, long sessionMillis, Supplier<InternalCommand<Boolean>> end) {
        this.committed = committed;
        this.shard = shard;
        this.nanos = TimeUnit.MILLISECONDS.toNanos(sessionMillis + sessionMillis / 2);
        this.end = end;
    }

    @Override
    public void round(long nowNanos, boolean stoodStill) {
        ReadView view = committed.get();
        if (!Claims.hasLifeBegun(view) || Claims.isGraceOver(view)) {
            return;
        }
        if (!begun || stoodStill) {
            begun = true;
            begunNanos = nowNanos;
        } else if (nowNanos - begunNanos > nanos) {
            shard.submit(end.get());
        }
    }
}
