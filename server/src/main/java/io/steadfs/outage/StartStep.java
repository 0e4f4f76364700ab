package io.steadfs.outage;

import io.steadfs.time.Clock;
import io.steadfs.time.SystemClock;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * A step of a server's start that waits for something. The step waits as long as there is progress, and gives up when nothing changed for
 * the caller's whole patience. Time in which this process got no processor does not count. After {@value #FIRST_SECONDS} s, and then each
 * minute, it logs what it waits for.
 */
public final class StartStep {
    static final long FIRST_SECONDS = 5;
    private static final long AGAIN_SECONDS = 60;
    /** The longest single wait. */
    private static final long TURN_MILLIS = 250;

    private final String waitsFor;
    private final Clock clock;
    private final Consumer<String> log;
    private long beganNanos;
    private long nextTaleNanos;
    private boolean told;

    /** Something that may be over soon. */
    public interface Wait {
        /** Waits at most this many milliseconds. Returns whether it is over. */
        boolean isOver(long millis) throws InterruptedException;
    }

    /**
     * @param waitsFor what, and where: "shard 3 of mds-1 waits for its first commit"
     * @param log takes one line each
     */
    public StartStep(String waitsFor, Clock clock, Consumer<String> log) {
        this.waitsFor = waitsFor;
        this.clock = clock;
        this.log = log;
    }

    /** A step by the clock of this machine. */
    public static StartStep of(String waitsFor, Consumer<String> log) {
        return new StartStep(waitsFor, new SystemClock(), log);
    }

    /**
     * Waits for the end of something.
     *
     * @param progress 0 at first, another number after any progress; asked when the patience is used up
     * @return whether it is over; false if there was no progress for the whole patience
     */
    public boolean await(long patienceMillis, Wait wait, LongSupplier progress) throws InterruptedException {
        beganNanos = clock.monotonicNanos();
        nextTaleNanos = beganNanos + TimeUnit.SECONDS.toNanos(FIRST_SECONDS);
        told = false;
        long turnMillis = Math.min(TURN_MILLIS, patienceMillis);
        long seen = 0;
        long stillNanos = 0;
        while (true) {
            long from = clock.monotonicNanos();
            if (wait.isOver(turnMillis)) {
                tellEnd();
                return true;
            }
            long now = clock.monotonicNanos();
            // Time beyond that does not count as waiting: the process had no processor.
            stillNanos += Math.min(now - from, TimeUnit.MILLISECONDS.toNanos(2 * turnMillis));
            if (stillNanos >= TimeUnit.MILLISECONDS.toNanos(patienceMillis)) {
                long newest = progress.getAsLong();
                if (newest == seen) {
                    return false;
                }
                seen = newest;
                stillNanos = 0;
            }
            tell(now);
        }
    }

    /** Does the same as {@link #await(long, Wait, LongSupplier)} for a result. A result that is a failure is over, too. */
    public boolean await(long patienceMillis, Future<?> result, LongSupplier progress) throws InterruptedException {
        return await(
                patienceMillis,
                millis -> {
                    try {
                        var unused = result.get(millis, TimeUnit.MILLISECONDS);
                    } catch (TimeoutException e) {
                        return false;
                    } catch (ExecutionException e) {
                        return true;
                    }
                    return true;
                },
                progress);
    }

    private void tell(long now) {
        if (now - nextTaleNanos >= 0) {
            log.accept(waitsFor + ", for " + seconds(now) + " s");
            nextTaleNanos = now + TimeUnit.SECONDS.toNanos(AGAIN_SECONDS);
            told = true;
        }
    }

    private void tellEnd() {
        if (told) {
            log.accept(waitsFor + " no more, after " + seconds(clock.monotonicNanos()) + " s");
        }
    }

    private long seconds(long now) {
        return TimeUnit.NANOSECONDS.toSeconds(now - beganNanos);
    }
}
