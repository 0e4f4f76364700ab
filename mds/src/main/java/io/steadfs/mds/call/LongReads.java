package io.steadfs.mds.call;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import java.util.ArrayDeque;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Runs long reads in a thread pool, so that they delay no connection. Each user has a queue, and the queues are served
 * in turn. One user may use all threads except one at a time. If one user has many reads, another user therefore waits
 * at most as long as one read takes.
 *
 * <p>A user may have as many waiting reads as there are free places at that moment. The first user may therefore fill
 * half of all places, and the rest stays free for others. Further reads are refused.
 */
public final class LongReads implements ThreadsOfUsers, AutoCloseable {
    public static final ConfigKey<Long> THREADS = ConfigKey.number(
            "stead.mds.longread.threads",
            3,
            1,
            256,
            "",
            "Threads for requests that read much: listings of whole trees, content summaries, checks of deletions, scans of a"
                    + " check of the file system. One user is served by all but one of them at a time.");
    public static final ConfigKey<Long> QUEUE = ConfigKey.number(
            "stead.mds.longread.queue",
            1024,
            1,
            100_000,
            "",
            "Most requests that wait for those threads. A user may have as many waiting as places are free, half of all at first;"
                    + " further ones are refused with BUSY.");

    private static final long STOP_MILLIS = 10_000;

    private final int threads;
    private final int places;
    private final ThreadPoolExecutor pool;

    /** The queues by user, in the order in which they are served next. Users without any work are not in the map. */
    private final Map<String, Line> lines = new LinkedHashMap<>();

    private int waiting;
    private int atWork;
    private boolean closed;

    /** The waiting reads of one user, and the number of threads that work for the user. */
    private static final class Line {
        private final Queue<Runnable> tasks = new ArrayDeque<>();
        private int atWork;
    }

    public static LongReads from(Settings settings) {
        return new LongReads(
                settings.get(THREADS).intValue(), settings.get(QUEUE).intValue());
    }

    public LongReads(int threads, int places) {
        this.threads = threads;
        this.places = places;
        AtomicInteger number = new AtomicInteger();
        this.pool =
                new ThreadPoolExecutor(threads, threads, 60, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), task -> {
                    Thread thread = new Thread(task, "long-read-" + number.incrementAndGet());
                    thread.setDaemon(true);
                    return thread;
                });
        pool.allowCoreThreadTimeOut(true);
    }

    /** Runs reads of this user. Refuses a read if too many wait, or after the pool was closed. */
    @Override
    public Executor of(String user) {
        return task -> execute(user, task);
    }

    private synchronized void execute(String user, Runnable task) {
        if (closed) {
            throw new RejectedExecutionException("no long reads are taken any more");
        }
        Line line = lines.get(user);
        int own = line == null ? 0 : line.tasks.size();
        if (own >= places - waiting) {
            throw new RejectedExecutionException(own + " long reads of user '" + user + "' wait already, " + waiting
                    + " of all users; " + places + " places are there");
        }
        lines.computeIfAbsent(user, unused -> new Line()).tasks.add(task);
        waiting++;
        begin();
    }

    /** Starts tasks as long as threads are free. */
    private synchronized void begin() {
        while (atWork < threads) {
            Optional<String> next = next();
            if (next.isEmpty()) {
                return;
            }
            String user = next.get();
            Line line = lines.remove(user);
            lines.put(user, line); // moves this user behind the others
            Runnable task = line.tasks.remove();
            waiting--;
            line.atWork++;
            atWork++;
            pool.execute(() -> run(user, line, task));
        }
    }

    /**
     * Returns the first waiting user who may have another thread. The search skips at most as many users as there are
     * threads.
     */
    private Optional<String> next() {
        int mostOfUser = Math.max(1, threads - 1);
        for (Map.Entry<String, Line> each : lines.entrySet()) {
            Line line = each.getValue();
            if (!line.tasks.isEmpty() && line.atWork < mostOfUser) {
                return Optional.of(each.getKey());
            }
        }
        return Optional.empty();
    }

    private void run(String user, Line line, Runnable task) {
        try {
            task.run();
        } finally {
            ended(user, line);
        }
    }

    private synchronized void ended(String user, Line line) {
        line.atWork--;
        atWork--;
        if (line.atWork == 0 && line.tasks.isEmpty()) {
            lines.remove(user);
        }
        begin();
        notifyAll();
    }

    /** Number of tasks that no thread has started yet. */
    public synchronized int waiting() {
        return waiting;
    }

    /** Accepts no more tasks, and waits for the tasks that are running. */
    @Override
    public void close() {
        try {
            awaitEnd();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        pool.shutdownNow();
    }

    private synchronized void awaitEnd() throws InterruptedException {
        closed = true;
        long endNanos = System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(STOP_MILLIS);
        long leftMillis = STOP_MILLIS;
        while (atWork > 0 && leftMillis > 0) {
            wait(leftMillis);
            leftMillis = TimeUnit.NANOSECONDS.toMillis(endNanos - System.nanoTime());
        }
        lines.clear(); // tasks that are left are given up
        waiting = 0;
    }
}
