package io.steadfs.fsck;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import java.util.concurrent.TimeUnit;

/** How a check waits for a server, and the clock by which it measures that. */
public interface Waiting {
    /** Time since an arbitrary origin; never goes back. */
    long nanos();

    /** @throws FsException CANCELLED if the thread was interrupted */
    void pause(long millis) throws FsException;

    /** Waits in real time. */
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
