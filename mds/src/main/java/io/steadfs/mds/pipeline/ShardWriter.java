package io.steadfs.mds.pipeline;

import io.steadfs.config.ConfigKey;
import java.util.concurrent.TimeUnit;

/**
 * The thread of a {@link ShardCore} in a process. With an aggregation window it waits that long after the first command
 * of a batch for more of them, unless a whole batch is there earlier; without one it takes what is there.
 */
public final class ShardWriter implements AutoCloseable {
    public static final ConfigKey<Long> AGGREGATION_WINDOW = ConfigKey.number(
            "stead.mds.aggregation.window",
            0,
            0,
            1_000_000,
            "microseconds",
            "How long a shard waits for more requests after the first one of a batch; 0 takes what is there.");

    private static final long STOP_MILLIS = 30_000;

    private final ShardCore core;
    private final int fullBatch;
    private final long windowNanos;
    private final Thread thread;
    private volatile boolean stopping;

    /** @param windowMicros 0 = no waiting */
    public ShardWriter(ShardCore core, ShardLimits limits, long windowMicros, String name) {
        this.core = core;
        this.fullBatch = limits.batchCommands();
        this.windowNanos = TimeUnit.MICROSECONDS.toNanos(windowMicros);
        this.thread = new Thread(this::run, name);
        this.thread.setDaemon(true);
    }

    public void start() {
        thread.start();
    }

    private void run() {
        try {
            while (!stopping && !core.queue().isClosed()) {
                core.queue().await();
                if (windowNanos > 0 && !stopping) {
                    core.queue().await(fullBatch, windowNanos);
                }
                core.step();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            core.close();
        }
    }

    /** Refuses what is still queued, lets the batch under way come to its end, and waits for that. */
    @Override
    public void close() {
        stopping = true;
        core.close();
        try {
            thread.join(STOP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            throw new IllegalStateException(
                    "writer " + thread.getName() + " did not end its batch within " + STOP_MILLIS + " ms");
        }
    }
}
