package io.steadfs.ioserver.duty;

import io.steadfs.config.ConfigKey;
import io.steadfs.disk.Space;
import io.steadfs.time.Scheduler;
import java.io.IOException;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Measures the disk periodically, and reports its space to the servers that place files. */
public final class SpaceReport implements Duty {
    public static final ConfigKey<Long> INTERVAL = ConfigKey.number(
            "stead.io.space.interval",
            5_000,
            100,
            3_600_000,
            "milliseconds",
            "How often an IO server measures its free space and reports it.");

    private static final Logger LOG = LoggerFactory.getLogger(SpaceReport.class);

    private final Space space;
    private final LongSupplier storedBytes;
    private final Listener listener;
    private final Scheduler scheduler;
    private final Executor executor;
    private final long intervalMillis;
    private volatile boolean closed;

    /** Receives the capacity, the usable bytes and the stored bytes. */
    @FunctionalInterface
    public interface Listener {
        void space(long capacityBytes, long usableBytes, long storedBytes);
    }

    /**
     * @param storedBytes number of bytes of all datafiles
     * @param executor runs the measurement; its threads may wait for the disk
     */
    public SpaceReport(
            Space space,
            LongSupplier storedBytes,
            Listener listener,
            Scheduler scheduler,
            Executor executor,
            long intervalMillis) {
        this.space = space;
        this.storedBytes = storedBytes;
        this.listener = listener;
        this.scheduler = scheduler;
        this.executor = executor;
        this.intervalMillis = intervalMillis;
    }

    @Override
    public void start() {
        scheduler.after(intervalMillis, this::hand);
    }

    private void hand() {
        if (closed) {
            return;
        }
        try {
            executor.execute(this::report);
        } catch (RejectedExecutionException e) {
            LOG.debug("space is measured later: {}", e.getMessage());
        }
        start();
    }

    private void report() {
        if (closed) {
            return;
        }
        try {
            space.measure();
            listener.space(space.capacityBytes(), space.usableBytes(), storedBytes.getAsLong());
        } catch (IOException | RuntimeException e) {
            LOG.warn("free space could not be reported", e);
        }
    }

    @Override
    public void close() {
        closed = true;
    }
}
