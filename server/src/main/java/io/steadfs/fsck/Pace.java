package io.steadfs.fsck;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.util.concurrent.TimeUnit;

/**
 * How fast a check may go, and how far it is. The check reports its rows here. Another thread may slow the check down, hold it or cancel
 * it. The results of a held or cancelled check are kept. Thread-safe.
 */
public final class Pace {
    /** After a time without rows, the check may catch up on no more than this. */
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
     * A snapshot of a check's progress.
     *
     * @param stage the current stage
     * @param share of the stage that is done, 0 to 1
     * @param rows of all stages of this process
     * @param stageRows of this stage
     */
    public record Look(String stage, double share, long rows, long stageRows, double stageSeconds) {
        /** The rate of this stage. */
        public double rowsPerSecond() {
            return stageSeconds <= 0 ? 0 : stageRows / stageSeconds;
        }

        /** How long the rest of the stage will take at the present rate; negative if that is unknown. */
        public double secondsLeft() {
            return share <= 0 ? -1 : stageSeconds * (1 - share) / share;
        }
    }

    /** @param rowsPerSecond at most; 0 = as fast as servers answer */
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
     * Counts this many more rows as looked at. Waits while the check is held or ahead of its rate.
     *
     * @throws FsException CANCELLED once the check was cancelled
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
