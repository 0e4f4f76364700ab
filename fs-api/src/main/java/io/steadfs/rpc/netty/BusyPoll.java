package io.steadfs.rpc.netty;

import io.steadfs.wire.Kind;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Decides how long a thread that waits for a reply looks for it again and again before it sleeps. To wake a sleeping
 * thread takes up to 45 microseconds, which is a third of a short call. But a thread that looks takes a processor.
 *
 * <p>So a thread looks only where most replies to requests of this kind have come soon of late, and never for longer than
 * {@link #LONGEST_NANOS}. If the thread was put aside in more than {@link #MOST_ASIDE} of its looks, others want the
 * processor. Then nobody looks for a while, which doubles each time from {@link #SHORTEST_REST_NANOS} to
 * {@link #LONGEST_REST_NANOS}. On a machine with one processor nobody looks at all.
 *
 * <p>Belongs to whoever runs the event loop.
 */
final class BusyPoll {
    static final long LONGEST_NANOS = TimeUnit.MICROSECONDS.toNanos(150);
    /** A reply that comes in this time has come soon. */
    private static final long SOON_NANOS = TimeUnit.MICROSECONDS.toNanos(120);

    static final long SHORTEST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(50);
    static final long LONGEST_REST_NANOS = TimeUnit.MILLISECONDS.toNanos(3_200);

    /** A thread that looks does so each microsecond. After a longer pause it was put aside. */
    private static final long PUT_ASIDE_NANOS = TimeUnit.MICROSECONDS.toNanos(100);
    /**
     * The share of looks in which a thread may be put aside. Where others want the processor it is about a twentieth, because
     * a look is so much shorter than a turn of the processor. A host that serves other machines too puts all threads aside at
     * times, in one look of a thousand.
     */
    private static final double MOST_ASIDE = 0.01;
    /** How many looks count for that, so that three times in about sixty looks are too many. */
    private static final int ASIDE_WINDOW = 256;
    /** A good look takes so small a part from the next rest. So rests grow where one look of twenty is bad. */
    private static final int PAID_BACK_BY = 1024;

    /** How much longer a reply seems to take to a thread that sleeps. */
    private static final long WAKE_UP_NANOS = TimeUnit.MICROSECONDS.toNanos(50);

    private final boolean hasProcessors;

    /** How soon replies to requests of one kind have come. */
    private static final class Pace {
        /** The share of replies that came soon; a moving average, the last one counts for a sixteenth. */
        double soon;
    }

    private final Map<Kind, Pace> paces = new EnumMap<>(Kind.class);
    /** Of what the thread waits for. */
    private Pace pace = new Pace();

    /** The share of looks in which the thread was put aside; a moving average. */
    private double aside;

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

    /**
     * Notes that a thread begins to wait.
     *
     * @param asked kind of the request that the thread has sent last; it may wait for several, one after the other
     */
    void begin(long nowNanos, Kind asked) {
        pace = paces.computeIfAbsent(asked, kind -> new Pace());
        beganNanos = nowNanos;
        lastLookNanos = nowNanos;
        slept = false;
        if (rests && nowNanos - restsUntilNanos >= 0) {
            rests = false;
        }
        looks = hasProcessors && !rests && pace.soon > 0.5;
    }

    /** Whether the thread shall look again at once; otherwise it shall sleep. */
    boolean looksAgain(long nowNanos) {
        if (looks && nowNanos - lastLookNanos > PUT_ASIDE_NANOS) {
            looks = false;
            putAside(nowNanos);
        }
        if (nowNanos - beganNanos > LONGEST_NANOS) {
            looks = false;
        }
        lastLookNanos = nowNanos;
        slept |= !looks;
        return looks;
    }

    private void putAside(long nowNanos) {
        aside += (1 - aside) / ASIDE_WINDOW;
        if (aside > MOST_ASIDE) {
            aside = 0;
            rests = true;
            restsUntilNanos = nowNanos + restNanos;
            restNanos = Math.min(2 * restNanos, LONGEST_REST_NANOS);
        }
    }

    /** Notes that the thread has worked since its last look, so that the time for it is no pause. */
    void worked(long nowNanos) {
        lastLookNanos = nowNanos;
    }

    /** Notes that the awaited reply has come. */
    void came(long nowNanos) {
        long took = nowNanos - beganNanos - (slept ? WAKE_UP_NANOS : 0);
        pace.soon += ((took <= SOON_NANOS ? 1 : 0) - pace.soon) / 16;
        if (!slept && looks) {
            aside -= aside / ASIDE_WINDOW;
            restNanos = Math.max(SHORTEST_REST_NANOS, restNanos - restNanos / PAID_BACK_BY);
        }
    }
}
