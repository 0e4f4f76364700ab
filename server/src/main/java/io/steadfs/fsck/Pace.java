package io.steadfs.fsck;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.util.concurrent.TimeUnit;

/**
 * Limits the speed of a check and measures its progress. The check reports how many rows it has read. Another thread
 * may slow down, pause or cancel the check. A paused or cancelled check keeps its results. Thread-safe.
 */
public final class Pace {
    /**
     * After a pause, the check may exceed its rate to catch up on the rows of the pause, but at most of this many
     * nanoseconds.
     */
    private static final long MOST_CREDIT_NANOS = TimeUnit.SECONDS.toNanos(1);

    private final long rowsPerSecond;
    private long rows;
    private long stageRows;
    private String stage = "";
    private double share;
    private long stageBegan = System.nanoTime();
    private long due = System.nanoTime();
    private boolean held;
    private boolean ended;

    /**
     * The progress of a check at one moment.
     *
     * @param stage the current stage
     * @param share the part of the stage that is done, from 0 to 1
     * @param rows the number of rows that all stages looked at in this process
     * @param stageRows the number of rows that the current stage looked at
     * @param stageSeconds the time since the current stage began
     */
    public record Look(String stage, double share, long rows, long stageRows, double stageSeconds) {
        /** The rate of the current stage. */
        public double rowsPerSecond() {
            return stageSeconds <= 0 ? 0 : stageRows / stageSeconds;
        }

        /** The estimated seconds until the end of the stage; negative if there is no estimate. */
        public double secondsLeft() {
            return share <= 0 ? -1 : stageSeconds * (1 - share) / share;
        }
    }

    /** @param rowsPerSecond largest number of rows a second; 0 = as fast as servers answer */
    public Pace(long rowsPerSecond) {
        this.rowsPerSecond = rowsPerSecond;
    }

    synchronized void begin(String next) {
        stage = next;
        share = 0;
        stageRows = 0;
        stageBegan = System.nanoTime();
    }

    /**
     * Counts this many more rows. Then waits as long as the check is paused or is faster than its rate.
     *
     * @param shareDone the part of the stage that is done, from 0 to 1
     *
     * @throws FsException CANCELLED after the check was cancelled
     */
    synchronized void did(long more, double shareDone) throws FsException {
        rows += more;
        stageRows += more;
        share = shareDone;
        long now = System.nanoTime();
        due = Math.max(due, now - MOST_CREDIT_NANOS);
        if (rowsPerSecond > 0) {
            due += more * TimeUnit.SECONDS.toNanos(1) / rowsPerSecond;
        }
        while (!ended && (held || due - System.nanoTime() > 0)) {
            long waitNanos = held ? TimeUnit.MINUTES.toNanos(1) : due - System.nanoTime();
            try {
                TimeUnit.NANOSECONDS.timedWait(this, Math.max(1, waitNanos));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new FsException(FsError.CANCELLED, "the check was interrupted at " + stage, e);
            }
        }
        if (ended) {
            throw new FsException(FsError.CANCELLED, "the check was ended at " + stage);
        }
    }

    public synchronized void hold(boolean hold) {
        held = hold;
        notifyAll();
    }

    public synchronized void end() {
        ended = true;
        notifyAll();
    }

    public synchronized Look look() {
        double seconds = (System.nanoTime() - stageBegan) / (double) TimeUnit.SECONDS.toNanos(1);
        return new Look(stage, share, rows, stageRows, seconds);
    }
}
