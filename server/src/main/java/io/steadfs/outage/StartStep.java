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
 * Waits for something during a server's start. The step waits as long as there is progress. The step gives up if there
 * was no progress for the caller's whole patience. Time in which this process got no processor does not count. After
 * {@value #FIRST_SECONDS} s, and then each minute, the step logs what it waits for.
 */
public final class StartStep {
    static final long FIRST_SECONDS = 5;
    private static final long AGAIN_SECONDS = 60;
    /** The longest single wait, in milliseconds. */
    private static final long TURN_MILLIS = 250;

    private final String waitsFor;
    private final Clock clock;
    private final Consumer<String> log;
    private long beganNanos;
    private long nextTaleNanos;
    private boolean told;

    /** An event for which the step waits. */
    public interface Wait {
        /** Waits at most this many milliseconds for the event. Returns whether the event has happened. */
        boolean isOver(long millis) throws InterruptedException;
    }

    /**
     * @param waitsFor says who waits for what, such as "shard 3 of mds-1 waits for its first commit"
     * @param log receives each line
     */
    public StartStep(String waitsFor, Clock clock, Consumer<String> log) {
        this.waitsFor = waitsFor;
        this.clock = clock;
        this.log = log;
    }

    /** A step that uses the clock of this machine. */
    public static StartStep of(String waitsFor, Consumer<String> log) {
        return new StartStep(waitsFor, new SystemClock(), log);
    }

    /**
     * Waits for an event.
     *
     * @param patienceMillis the longest time without progress
     * @param progress returns a number that is 0 at first and changes with any progress. The step calls
     *     {@code progress} when the patience is used up
     * @return true if the event happened; false if there was no progress for the whole patience
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
            // If the wait took more than twice its time, this process had no processor. The additional time does not
            // count.
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

    /**
     * Waits for a result, like {@link #await(long, Wait, LongSupplier)}. A result that is a failure also ends the wait.
     */
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
