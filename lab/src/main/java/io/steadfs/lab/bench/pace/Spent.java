package io.steadfs.lab.bench.pace;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * The processor time and the context switches of some processes.
 *
 * @param all processor time of all threads; some systems count in steps of 10 ms
 * @param compiling part of {@code all} that Java's just-in-time compilers have used, see {@link ThreadTimes}
 * @param switches number of context switches to threads that are no compiler threads
 */
public record Spent(Duration all, Duration compiling, long switches) {
    public static final Spent NOTHING = new Spent(Duration.ZERO, Duration.ZERO, 0);

    /** The processor time of the given processes since their start. */
    public static Spent by(Collection<Long> pids) {
        ThreadTimes threads = ThreadTimes.of(pids);
        return new Spent(Rest.used(pids), threads.compiling(), threads.switches());
    }

    /**
     * The processor time of this process since its start.
     *
     * @param all processor time of this process, as measured exactly by the process itself
     */
    public static Spent byThis(Duration all) {
        ThreadTimes threads = ThreadTimes.of(List.of(ProcessHandle.current().pid()));
        return new Spent(all, threads.compiling(), threads.switches());
    }

    public Spent plus(Spent more) {
        return new Spent(all.plus(more.all), compiling.plus(more.compiling), switches + more.switches);
    }

    /**
     * The growth since an earlier measurement. The growth is never negative, although the values of ended threads are
     * lost.
     */
    public Spent since(Spent before) {
        return new Spent(
                difference(all, before.all),
                difference(compiling, before.compiling),
                Math.max(0, switches - before.switches));
    }

    private static Duration difference(Duration now, Duration before) {
        return now.compareTo(before) < 0 ? Duration.ZERO : now.minus(before);
    }

    /** Part of the processor time that Java's compilers have used, from 0 to 1. */
    public double compilingPart() {
        return all.isZero() ? 0 : Math.min(1, (double) compiling.toNanos() / all.toNanos());
    }

    /** Processor time for each operation, in microseconds. */
    public double microsEach(long operations) {
        return all.toNanos() / 1e3 / Math.max(1, operations);
    }

    /** Number of context switches for each operation. */
    public double switchesEach(long operations) {
        return (double) switches / Math.max(1, operations);
    }
}
