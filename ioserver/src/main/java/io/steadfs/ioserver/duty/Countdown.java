package io.steadfs.ioserver.duty;

import io.steadfs.error.FsError;
import io.steadfs.ioserver.lane.Waiter;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Waits until several tasks on lanes are durable. May be used from any thread. */
final class Countdown implements Waiter {
    private static final Logger LOG = LoggerFactory.getLogger(Countdown.class);

    private final AtomicInteger open;
    private final AtomicBoolean failed = new AtomicBoolean();
    private final Consumer<Boolean> whenAll;

    /**
     * @param whenAll called once, with true if all tasks are durable, or with false if a task failed. If there are no
     *     tasks, the constructor calls it with true
     */
    Countdown(int tasks, Consumer<Boolean> whenAll) {
        this.open = new AtomicInteger(tasks);
        this.whenAll = whenAll;
        if (tasks == 0) {
            whenAll.accept(true);
        }
    }

    @Override
    public void done() {
        if (open.decrementAndGet() == 0) {
            whenAll.accept(!failed.get());
        }
    }

    @Override
    public void failed(FsError error, String message) {
        LOG.info("a step of ending leases waits: {} {}", error, message);
        failed.set(true);
        done();
    }
}
