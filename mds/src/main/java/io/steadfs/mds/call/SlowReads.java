package io.steadfs.mds.call;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/**
 * Makes the short reads of a shard take turns, each for a configured time. No processor is used meanwhile, so that few
 * processors do for many shards in a measurement. Does nothing if no time is configured. Thread-safe.
 *
 * <p>Questions of other shards for copies are short reads. A change that only goes on at another shard is none, so that a
 * create which walks to its directory pays at the last shard alone.
 */
public final class SlowReads {
    private static final long NANOS_PER_MILLI = TimeUnit.MILLISECONDS.toNanos(1);

    public static final ConfigKey<Long> DELAY = ConfigKey.number(
            "stead.mds.read.delay",
            0,
            0,
            1_000_000,
            "microseconds",
            "Time for which every short read takes a shard for itself, before it is answered; for measurements only, where"
                    + " it stands for a slower machine.");

    private final Clock clock;
    private final Scheduler scheduler;
    private final long delayNanos;
    /** When the last read ends that has a turn. */
    private final AtomicLong endNanos;

    public SlowReads(Clock clock, Scheduler scheduler, Settings settings) {
        this.clock = clock;
        this.scheduler = scheduler;
        this.delayNanos = TimeUnit.MICROSECONDS.toNanos(settings.get(DELAY));
        this.endNanos = new AtomicLong(clock.monotonicNanos());
    }

    /** Runs the answer, at once or at the end of the turn of its read. */
    void then(Runnable answer) {
        if (delayNanos == 0) {
            answer.run();
            return;
        }
        long now = clock.monotonicNanos();
        long end = endNanos.updateAndGet(last -> (last - now > 0 ? last : now) + delayNanos);
        scheduler.after((end - now + NANOS_PER_MILLI - 1) / NANOS_PER_MILLI, answer);
    }
}
