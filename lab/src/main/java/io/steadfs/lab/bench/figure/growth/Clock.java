package io.steadfs.lab.bench.figure.growth;

import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicLongArray;
import java.util.stream.IntStream;

/** Counts the files of each second of a turn. The turn begins with its first file. Thread-safe. */
final class Clock {
    private static final long SECOND_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final AtomicLongArray files;
    private final AtomicLong begun = new AtomicLong(Long.MIN_VALUE);
    private final Runnable steady;
    private final AtomicBoolean isSteady = new AtomicBoolean();

    /** @param steady what to do once, with the first file of the steady state */
    Clock(int seconds, Runnable steady) {
        this.files = new AtomicLongArray(seconds);
        this.steady = steady;
    }

    /** A client is about to make its first file. */
    void begin() {
        begun.compareAndSet(Long.MIN_VALUE, System.nanoTime());
    }

    /** Whether the turn is not over. */
    boolean runs() {
        return second() < files.length();
    }

    /** A file was made. It does not count if the turn is over. */
    void count() {
        int second = second();
        if (second < files.length()) {
            files.incrementAndGet(second);
            if (second >= Turn.steadyFrom(files.length()) && isSteady.compareAndSet(false, true)) {
                steady.run();
            }
        }
    }

    private int second() {
        return (int) ((System.nanoTime() - begun.get()) / SECOND_NANOS);
    }

    /** The number of files in each second. */
    List<Long> files() {
        return IntStream.range(0, files.length()).mapToObj(files::get).toList();
    }
}
