package io.steadfs.mds.call;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/** The threads for reads that may take long, so that they hold up no connection. Refuses when its queue is full. */
public final class LongReads implements Executor, AutoCloseable {
    public static final ConfigKey<Long> THREADS = ConfigKey.number(
            "stead.mds.longread.threads",
            2,
            1,
            256,
            "",
            "Threads for requests that read much: listings of whole trees, content summaries, checks of deletions.");
    public static final ConfigKey<Long> QUEUE = ConfigKey.number(
            "stead.mds.longread.queue",
            256,
            1,
            100_000,
            "",
            "Most requests that wait for those threads; further ones are refused with BUSY.");

    private static final long STOP_MILLIS = 10_000;

    private final ThreadPoolExecutor pool;

    public static LongReads from(Settings settings) {
        return new LongReads(
                settings.get(THREADS).intValue(), settings.get(QUEUE).intValue());
    }

    public LongReads(int threads, int queue) {
        AtomicInteger number = new AtomicInteger();
        this.pool = new ThreadPoolExecutor(
                threads, threads, 60, TimeUnit.SECONDS, new ArrayBlockingQueue<>(queue), task -> {
                    Thread thread = new Thread(task, "long-read-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
    }

    /** @throws java.util.concurrent.RejectedExecutionException if the queue is full or the pool closed */
    @Override
    public void execute(Runnable task) {
        pool.execute(task);
    }

    /** Tasks that no thread has begun yet. */
    public int waiting() {
        return pool.getQueue().size();
    }

    /** Takes nothing more and waits for what is at work. */
    @Override
    public void close() {
        pool.shutdown();
        try {
            if (!pool.awaitTermination(STOP_MILLIS, TimeUnit.MILLISECONDS)) {
                pool.shutdownNow();
            }
        } catch (InterruptedException e) {
            pool.shutdownNow();
            Thread.currentThread().interrupt();
        }
    }
}
