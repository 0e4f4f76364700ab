package io.steadfs.ioserver.lane;

import io.steadfs.handle.Handle;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiConsumer;

/** All lanes of a server and the threads that run the lanes. */
public final class Lanes implements AutoCloseable {
    private final List<Lane> lanes = new ArrayList<>();
    private final List<Thread> threads = new ArrayList<>();

    /**
     * @param number number of lanes, 1 to {@link Slots#SLOTS}
     * @param fault called if a lane cannot go on
     */
    public Lanes(int number, LaneSettings settings, BiConsumer<String, Throwable> fault) {
        if (number < 1 || number > Slots.SLOTS) {
            throw new IllegalArgumentException(number + " lanes, not 1.." + Slots.SLOTS);
        }
        for (int i = 0; i < number; i++) {
            lanes.add(new Lane(i, settings, fault));
        }
    }

    /** The lane that owns the datafile. */
    public Lane of(Handle datafile) {
        return lanes.get(Slots.ofDatafile(datafile) % lanes.size());
    }

    /** The lane that owns the column's datafile, even if the datafile is not made yet. */
    public Lane ofColumn(Handle metafile, int index) {
        return lanes.get(Slots.ofColumn(metafile, index) % lanes.size());
    }

    /** The lane on which the leases of a holder are granted, renewed and ended, one after the other. */
    public Lane ofHolder(long holder) {
        return lanes.get(Slots.ofHolder(holder) % lanes.size());
    }

    public int queueLength() {
        return lanes.stream().mapToInt(Lane::queueLength).sum();
    }

    public int openDatafiles() {
        return lanes.stream().mapToInt(Lane::openDatafiles).sum();
    }

    public long openBytes() {
        return lanes.stream().mapToLong(Lane::openBytes).sum();
    }

    /** Gives each lane a thread. If this method is not called, {@link #runQueued} drives the lanes. */
    public void start() {
        for (Lane lane : lanes) {
            Thread thread = new Thread(() -> run(lane), "io-lane-" + threads.size());
            threads.add(thread);
            thread.start();
        }
    }

    private void run(Lane lane) {
        try {
            while (!lane.hasEnded()) {
                lane.runNext();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Executes the queued tasks of each lane on the caller's thread, one lane after the other. */
    public void runQueued() {
        lanes.forEach(Lane::runQueued);
    }

    /**
     * Executes the queued tasks, makes every datafile durable, and ends the threads. Tasks that come later are refused.
     */
    @Override
    public void close() {
        try {
            for (Lane lane : lanes) {
                while (threads.isEmpty() && lane.queueLength() > 0) {
                    lane.runQueued();
                }
                lane.putLast();
            }
            if (threads.isEmpty()) {
                runQueued();
            }
            for (Thread thread : threads) {
                thread.join();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
