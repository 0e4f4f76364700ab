package io.steadfs.lab.bench.pace;

import java.time.Duration;
import java.util.Collection;
import java.util.List;

/**
 * The processor use of some processes.
 *
 * @param all processor time of the processes; some systems count in steps of 10 ms
 * @param compiling processor time of Java's just-in-time compilers; part of the total time. See {@link ThreadTimes}
 * @param switches context switches to threads of the processes, without threads of compilers
 */
public record Spent(Duration all, Duration compiling, long switches) {
    public static final Spent NOTHING = new Spent(Duration.ZERO, Duration.ZERO, 0);

    /** Processor use of the processes since their start. */
    public static Spent by(Collection<Long> pids) {
        ThreadTimes threads = ThreadTimes.of(pids);
        return new Spent(Rest.used(pids), threads.compiling(), threads.switches());
    }

    /**
     * Processor use of this process since its start.
     *
     * @param all processor time of this process; a process can measure its own time more exactly than the time of
     *     others
     */
    public static Spent byThis(Duration all) {
        ThreadTimes threads = ThreadTimes.of(List.of(ProcessHandle.current().pid()));
        return new Spent(all, threads.compiling(), threads.switches());
    }

    public Spent plus(Spent more) {
        return new Spent(all.plus(more.all), compiling.plus(more.compiling), switches + more.switches);
    }

    /**
     * The difference to an earlier value, but never less than zero. A total can shrink, because the times of a thread
     * vanish when the thread ends.
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

    /** The part of the processor time that compilers took, from 0 to 1. */
    public double compilingPart() {
        return all.isZero() ? 0 : Math.min(1, (double) compiling.toNanos() / all.toNanos());
    }

    /** Processor time per operation, in microseconds. */
    public double microsEach(long operations) {
        return all.toNanos() / 1e3 / Math.max(1, operations);
    }

    /** Context switches per operation. */
    public double switchesEach(long operations) {
        return (double) switches / Math.max(1, operations);
    }
}
