package io.steadfs.rpc.netty;

import java.util.concurrent.TimeUnit;

/**
 * Decides how long a thread that waits for a reply looks for it again and again before it sleeps. To wake a sleeping
 * thread takes up to 45 microseconds, which is a third of a short call. But a thread that looks takes a processor.
 *
 * <p>So a thread looks only where replies have come soon of late, and never for longer than {@link #LONGEST_NANOS}. If
 * the thread was put aside meanwhile, others want the processor. Then nobody looks for a while, which doubles each time
 * from {@link #SHORTEST_REST_NANOS} to {@link #LONGEST_REST_NANOS}. On a machine with one processor nobody looks at all.
 *
 * <p>Belongs to whoever runs the event loop.
 */
final class BusyPoll {
    static final long LONGEST_NANOS = TimeUnit.MICROSECONDS.toNanos(150);
    static final long SHORTEST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    static final long LONGEST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(3_200);

    /** A thread that looks does so each microsecond. After a longer pause it was put aside. */
    private static final long PUT_ASIDE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    /** How much longer a reply seems to take to a thread that sleeps. */
    private static final long WAKE_UP_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final boolean hasProcessors;

    /** Moving average of the time after which replies come; the last one counts for an eighth. */
    private long usualNanos = 4 * LONGEST_NANOS;

    private long restNanos = SHORTEST_REST_NANOS;
    private long restsUntilNanos;
    private boolean rests;

    private long beganNanos;
    private long lastLookNanos;
    private boolean looks;
    private boolean slept;

    BusyPoll(int processors) {
        this.hasProcessors = processors > 1;
    }

    /** Notes that a thread begins to wait. */
    void begin(long nowNanos) {
        beganNanos = nowNanos;
        lastLookNanos = nowNanos;
        slept = false;
        if (rests && nowNanos - restsUntilNanos >= 0) {
            rests = false;
        }
        looks = hasProcessors && !rests && usualNanos * 3 / 2 <= LONGEST_NANOS;
    }

    /** Whether the thread shall look again at once; otherwise it shall sleep. */
    boolean looksAgain(long nowNanos) {
        if (looks && nowNanos - lastLookNanos > PUT_ASIDE_NANOS) {
            looks = false;
            rests = true;
            restsUntilNanos = nowNanos + restNanos;
            restNanos = Math.min(2 * restNanos, LONGEST_REST_NANOS);
        }
        if (nowNanos - beganNanos > LONGEST_NANOS) {
            looks = false;
        }
        lastLookNanos = nowNanos;
        slept |= !looks;
        return looks;
    }

    /** Notes that the thread has worked since its last look, so that the time for it is no pause. */
    void worked(long nowNanos) {
        lastLookNanos = nowNanos;
    }

    /** Notes that the awaited reply has come. */
    void came(long nowNanos) {
        long took = nowNanos - beganNanos - (slept ? WAKE_UP_NANOS : 0);
        usualNanos += (Math.min(took, 4 * LONGEST_NANOS) - usualNanos) / 8;
        if (!slept && looks && restNanos > SHORTEST_REST_NANOS) {
            restNanos = Math.max(SHORTEST_REST_NANOS, restNanos - restNanos / 64);
        }
    }
}
