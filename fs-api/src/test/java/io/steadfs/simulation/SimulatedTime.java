package io.steadfs.simulation;

import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Random;
import java.util.function.BooleanSupplier;

/**
 * Time that passes only when a test lets it, in the test's own thread. Tasks run in the order of their moments; among
 * those of one moment the seed decides, so that no code can lean on the order in which things were asked for. The same
 * seed and the same calls give the same run.
 */
public final class SimulatedTime implements Clock, Scheduler {
    private static final long WALL_START_MILLIS = 1_700_000_000_000L;

    private final PriorityQueue<Event> events = new PriorityQueue<>(Comparator.comparingLong(Event::nanos)
            .thenComparingLong(Event::order)
            .thenComparingLong(Event::number));
    private final Random random;
    private long nowNanos;
    private long lastNumber;

    public SimulatedTime(long seed) {
        this.random = new Random(seed);
    }

    @Override
    public long monotonicNanos() {
        return nowNanos;
    }

    @Override
    public long wallMillis() {
        return WALL_START_MILLIS + nowNanos / 1_000_000;
    }

    @Override
    public Cancellable after(long delayMillis, Runnable task) {
        return afterNanos(delayMillis * 1_000_000, task);
    }

    /** As {@link #after}, finer. */
    public Cancellable afterNanos(long delayNanos, Runnable task) {
        Event event = new Event(nowNanos + Math.max(0, delayNanos), random.nextInt(), ++lastNumber, task);
        events.add(event);
        return () -> events.remove(event);
    }

    /** Goes to the next task and runs it; false if there is none. */
    public boolean runNext() {
        Event next = events.poll();
        if (next == null) {
            return false;
        }
        nowNanos = next.nanos();
        next.task().run();
        return true;
    }

    /** Lets so much time pass, running what falls due. */
    public void runFor(long millis) {
        long end = nowNanos + millis * 1_000_000;
        Event next = events.peek();
        while (next != null && next.nanos() <= end) {
            runNext();
            next = events.peek();
        }
        nowNanos = end;
    }

    /**
     * Runs tasks until the condition holds.
     *
     * @throws AssertionError naming what was waited for, if it does not within so much simulated time
     */
    public void runUntil(String what, BooleanSupplier condition, long limitMillis) {
        long end = nowNanos + limitMillis * 1_000_000;
        while (!condition.getAsBoolean()) {
            Event next = events.peek();
            if (next == null || next.nanos() > end) {
                throw new AssertionError("not within " + limitMillis + " simulated ms: " + what);
            }
            runNext();
        }
    }

    /** One task and its moment. */
    private record Event(long nanos, int order, long number, Runnable task) {}
}
