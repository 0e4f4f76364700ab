package io.steadfs.lab.bench.pace;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * What processors did for some processes.
 *
 * @param all time that they gave to them, in steps of 10 ms where the system counts so
 * @param compiling of that, what Java's just-in-time compilers took, see {@link ThreadTimes}
 * @param switches how often they turned to another thread of them than a compiler's
 */
public record Spent(Duration all, Duration compiling, long switches) {
    public static final Spent NOTHING = new Spent(Duration.ZERO, Duration.ZERO, 0);

    /** Since they began. */
    public static Spent by(Collection<Long> pids) {
        ThreadTimes threads = ThreadTimes.of(pids);
        return new Spent(Rest.used(pids), threads.compiling(), threads.switches());
    }

    /**
     * Of this process since it began.
     *
     * @param all its time, more exact than others can tell
     */
    public static Spent byThis(Duration all) {
        ThreadTimes threads = ThreadTimes.of(List.of(ProcessHandle.current().pid()));
        return new Spent(all, threads.compiling(), threads.switches());
    }

    public Spent plus(Spent more) {
        return new Spent(all.plus(more.all), compiling.plus(more.compiling), switches + more.switches);
    }

    /** Never less than nothing: a thread that ended took its part with it. */
    public Spent since(Spent before) {
        return new Spent(
                difference(all, before.all),
                difference(compiling, before.compiling),
                Math.max(0, switches - before.switches));
    }

    private static Duration difference(Duration now, Duration before) {
        return now.compareTo(before) < 0 ? Duration.ZERO : now.minus(before);
    }

    /** Part of the time in which Java compiled, from 0 to 1. */
    public double compilingPart() {
        return all.isZero() ? 0 : Math.min(1, (double) compiling.toNanos() / all.toNanos());
    }

    /** All time, for each of so many operations. */
    public double microsEach(long operations) {
        return all.toNanos() / 1e3 / Math.max(1, operations);
    }

    /** For each of so many operations. */
    public double switchesEach(long operations) {
        return (double) switches / Math.max(1, operations);
    }
}
