package io.steadfs.fsck;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.util.concurrent.TimeUnit;

/** Gives a check the time, and pauses the check. Tests replace this clock. */
public interface Waiting {
    /** A monotonic time in nanoseconds, with an arbitrary origin. */
    long nanos();

    /** Pauses the calling thread. @throws FsException CANCELLED if the thread was interrupted */
    void pause(long millis) throws FsException;

    /** Uses the real clock and real pauses. */
    static Waiting ofThread() {
        return new Waiting() {
            @Override
            public long nanos() {
                return System.nanoTime();
            }

            @Override
            public void pause(long millis) throws FsException {
                try {
                    TimeUnit.MILLISECONDS.sleep(millis);
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    throw new FsException(FsError.CANCELLED, "interrupted while a server was busy", e);
                }
            }
        };
    }
}
