package io.steadfs.cli.bench.pace;

import java.time.Duration;
import java.util.Collection;

/**
 * Time that processors gave to some processes.
 *
 * @param all in steps of 10 ms where the system counts so
 * @param compiling of that, what {@link CompilerTime} tells
 */
public record Spent(Duration all, Duration compiling) {
    public static final Spent NOTHING = new Spent(Duration.ZERO, Duration.ZERO);

    /** Since they began. */
    public static Spent by(Collection<Long> pids) {
        return new Spent(Rest.used(pids), CompilerTime.used(pids));
    }

    public Spent plus(Spent more) {
        return new Spent(all.plus(more.all), compiling.plus(more.compiling));
    }

    /** Never less than nothing: a thread that ended took its time with it. */
    public Spent since(Spent before) {
        return new Spent(difference(all, before.all), difference(compiling, before.compiling));
    }

    private static Duration difference(Duration now, Duration before) {
        return now.compareTo(before) < 0 ? Duration.ZERO : now.minus(before);
    }

    /** Part of the time in which Java compiled, from 0 to 1. */
    public double compilingPart() {
        return all.isZero() ? 0 : Math.min(1, (double) compiling.toNanos() / all.toNanos());
    }

    /** All of it, for each of so many operations. */
    public double microsEach(long operations) {
        return all.toNanos() / 1e3 / Math.max(1, operations);
    }
}
