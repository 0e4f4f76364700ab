package io.steadfs.ioserver.lane;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.OpenDatafile;
import io.steadfs.rpc.Moment;
import io.steadfs.store.Overlay;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The single writer of its share of the datafiles. A lane takes all queued tasks, executes them, and ends the {@link
 * Batch}. One sync of each file and one synced commit serve all waiters of the batch. While a batch is committed, tasks
 * for the next batch gather in the queue.
 *
 * <p>All state except the queue belongs to the thread that runs the lane. In a server each lane has its own thread. In
 * tests and simulations the thread that calls {@link #runQueued} runs the lane. The queue is bounded in tasks and in
 * bytes. A task beyond the bound is refused. Datafiles in memory are bounded too. Above the bound, the datafiles that
 * were not used for the longest time are made durable and dropped.
 */
public final class Lane {
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

    private final int number;
    private final String name;
    private final LaneSettings settings;
    private final BiConsumer<String, Throwable> fault;

    private final ArrayBlockingQueue<LaneTask> queue;
    private final AtomicLong queuedBytes = new AtomicLong();

    private final OpenDatafiles open;

    private volatile boolean failed;
    private volatile boolean ended;
    private volatile int openCount;
    private volatile long openBytes;

    /**
     * @param number number of the lane, from 0
     * @param fault called once, with the reason and the exception, if the lane cannot go on
     */
    public Lane(int number, LaneSettings settings, BiConsumer<String, Throwable> fault) {
        this.number = number;
        this.name = "lane " + number;
        this.settings = settings;
        this.fault = fault;
        this.queue = new ArrayBlockingQueue<>(settings.queueMostTasks());
        this.open = new OpenDatafiles(settings.openMost(), settings.openMostBytes());
    }

    /** Queues the task, or refuses the task with BUSY or UNAVAILABLE. May be called from any thread. */
    public void submit(LaneTask task) {
        if (failed || ended) {
            refuse(task);
            return;
        }
        long bytes = task.bytes();
        if (queuedBytes.addAndGet(bytes) > settings.queueMostBytes() && bytes > 0 && !queue.isEmpty()) {
            queuedBytes.addAndGet(-bytes);
            task.refuse(FsError.BUSY, name + " has " + queuedBytes.get() + " bytes waiting");
            return;
        }
        if (!queue.offer(task)) {
            queuedBytes.addAndGet(-bytes);
            task.refuse(FsError.BUSY, name + " has " + settings.queueMostTasks() + " requests waiting");
        }
    }

    private void refuse(LaneTask task) {
        task.refuse(FsError.UNAVAILABLE, name + (failed ? " has stopped after a failure" : " is stopping"));
    }

    /**
     * Queues the lane's last task behind all others. The last task makes every datafile durable. This method waits for
     * space in the queue.
     */
    void putLast() throws InterruptedException {
        queue.put(new LastTask());
    }

    /** Whether the last task is done. */
    boolean hasEnded() {
        return ended;
    }

    public int queueLength() {
        return queue.size();
    }

    public int openDatafiles() {
        return openCount;
    }

    /**
     * The memory of the open datafiles in bytes, as of the last batch. Counts only memory that grows with the
     * datafiles.
     */
    public long openBytes() {
        return openBytes;
    }

    /** Executes all tasks that are queued now, in batches. Returns at once if there are no tasks. */
    public void runQueued() {
        List<LaneTask> tasks = new ArrayList<>();
        queue.drainTo(tasks, settings.batchMostTasks());
        run(tasks);
    }

    /** Waits for a task, and then executes all tasks that are queued. */
    void runNext() throws InterruptedException {
        List<LaneTask> tasks = new ArrayList<>();
        tasks.add(queue.take());
        queue.drainTo(tasks, settings.batchMostTasks() - 1);
        run(tasks);
    }

    private void run(List<LaneTask> tasks) {
        for (LaneTask task : tasks) {
            queuedBytes.addAndGet(-task.bytes());
        }
        int begin = 0;
        for (int i = 0; i < tasks.size(); i++) {
            if (tasks.get(i).endsBatch()) {
                runBatch(tasks.subList(begin, i + 1));
                begin = i + 1;
            }
        }
        if (begin < tasks.size()) {
            runBatch(tasks.subList(begin, tasks.size()));
        }
    }

    private void runBatch(List<LaneTask> tasks) {
        if (failed || ended) {
            tasks.forEach(this::refuse);
            return;
        }
        int done = 0;
        try (Overlay overlay = settings.store().overlay()) {
            Batch batch = new Batch(this, overlay);
            try {
                for (LaneTask task : tasks) {
                    done++;
                    runTask(task, batch);
                }
                batch.end();
            } catch (RuntimeException | Error e) {
                batch.failAll(FsError.FAULT, "broken invariant: " + e);
                throw e;
            }
            open.batchEnds();
            openCount = open.count();
            openBytes = open.bytes();
            settings.counters().count("lane.batches");
            settings.counters().add("lane.tasks", tasks.size());
        } catch (IOException | RuntimeException | Error e) {
            stopAfter(e);
            tasks.subList(done, tasks.size()).forEach(this::refuse);
        }
    }

    private static void runTask(LaneTask task, Batch batch) {
        task.mark(Moment.STARTED);
        batch.runs(task);
        try {
            task.run(batch);
        } catch (IOException e) {
            task.refuse(DiskErrors.of(e), DiskErrors.message(e));
        } catch (RuntimeException | Error e) {
            task.refuse(FsError.FAULT, "broken invariant: " + e);
            throw e;
        }
    }

    private void stopAfter(Throwable failure) {
        failed = true;
        LOG.error("{} stops", name, failure);
        open.all().forEach(OpenDatafile::close);
        fault.accept(name + " stopped: " + failure.getMessage(), failure);
    }

    /**
     * The last task of the lane: makes all datafiles durable. The lane ends with the batch of this task and begins no
     * later task.
     */
    private final class LastTask implements LaneTask {
        @Override
        public void run(Batch batch) {
            for (OpenDatafile datafile : open.all()) {
                if (datafile.isDirty()) {
                    batch.sync(datafile, NOBODY);
                }
            }
            ended = true;
        }

        @Override
        public void refuse(FsError error, String message) {
            ended = true;
        }

        @Override
        public boolean endsBatch() {
            return true;
        }
    }

    private static final Waiter NOBODY = Waiter.then(() -> {});

    LaneSettings settings() {
        return settings;
    }

    int number() {
        return number;
    }

    @Nullable
    OpenDatafile find(Handle handle) {
        return open.find(handle);
    }

    void keep(OpenDatafile datafile) {
        open.keep(datafile);
    }

    /** Drops the datafile from memory. Readers may still see its published view. */
    void drop(OpenDatafile datafile) {
        open.drop(datafile);
    }

    /** Drops the datafile from memory. Readers see its state in the store. */
    void forget(OpenDatafile datafile) {
        drop(datafile);
        settings.visible().forget(datafile.handle());
    }

    /**
     * Returns the datafiles that must go so that the rest is within the bounds. Datafiles that were not used for the
     * longest time go first.
     */
    List<OpenDatafile> aboveBounds() {
        return open.aboveBounds();
    }

    void failedSync(String message) {
        settings.counters().count("disk.failures");
        LOG.error("{}: {}", name, message);
    }
}
