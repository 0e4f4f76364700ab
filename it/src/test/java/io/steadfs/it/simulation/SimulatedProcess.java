package io.steadfs.it.simulation;

import io.steadfs.simulation.SimulatedTime;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * One process from its start to its end: its clocks, its timers, and the gate through which everything that happens to it
 * goes. Nothing happens to a dead process. What happens to a stopped one waits, in order, until it goes on; its clocks
 * run on meanwhile, as after SIGSTOP.
 */
final class SimulatedProcess implements Clock, Scheduler {
    private final String name;
    private final String role;
    private final SimulatedTime time;
    private final long startNanos;
    private final Deque<Runnable> held = new ArrayDeque<>();
    private long wallOffsetMillis;
    private boolean dead;
    private boolean acted = true;
    private boolean stopped;

    /**
     * @param name with its role before a dash: {@code mds-1}
     * @param startNanos what its monotonic clock counts from: no two processes agree
     */
    SimulatedProcess(String name, SimulatedTime time, long startNanos, long wallOffsetMillis) {
        this.name = name;
        this.role = name.substring(0, name.indexOf('-'));
        this.time = time;
        this.startNanos = startNanos;
        this.wallOffsetMillis = wallOffsetMillis;
    }

    String name() {
        return name;
    }

    /** {@code mds}, {@code io} or {@code client}. */
    String role() {
        return role;
    }

    boolean isDead() {
        return dead;
    }

    /** From now on nothing happens to it. */
    void kill() {
        dead = true;
        held.clear();
    }

    /** Stands still for so long, from the next thing on that happens to it. */
    void stop(long millis) {
        stopped = true;
        time.after(millis, this::resume);
    }

    /** Goes on with what waited. */
    void resume() {
        stopped = false;
        while (!held.isEmpty() && !stopped && !dead) {
            call(held.remove());
        }
    }

    /** The machine's wall clock jumps. */
    void jump(long millis) {
        wallOffsetMillis += millis;
    }

    /** Does it now, when the process goes on, or never. */
    void run(Runnable task) {
        if (dead) {
            return;
        }
        if (stopped || !held.isEmpty()) {
            held.add(task);
        } else {
            call(task);
        }
    }

    /** Whether anything happened to it since this was asked last. */
    boolean hasActed() {
        boolean did = acted;
        acted = false;
        return did;
    }

    /** What a dying process throws harms nobody. */
    private void call(Runnable task) {
        acted = true;
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            if (!dead) {
                throw new AssertionError(name + " threw " + e, e);
            }
        }
    }

    @Override
    public long monotonicNanos() {
        return startNanos + time.monotonicNanos();
    }

    @Override
    public long wallMillis() {
        return time.wallMillis() + wallOffsetMillis;
    }

    @Override
    public Cancellable after(long delayMillis, Runnable task) {
        return afterNanos(delayMillis * 1_000_000, task);
    }

    Cancellable afterNanos(long delayNanos, Runnable task) {
        return dead ? () -> {} : time.afterNanos(delayNanos, () -> run(task));
    }

    @Override
    public String toString() {
        return name;
    }
}
