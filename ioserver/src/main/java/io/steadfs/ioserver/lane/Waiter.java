package io.steadfs.ioserver.lane;

import io.steadfs.error.FsError;

/** Waits for the end of a batch; told once, on the lane's thread. */
public interface Waiter {
    /** What was asked for is on stable storage. */
    void done();

    /** It is not, or nobody knows. */
    void failed(FsError error, String message);

    /** For what concerns nobody unless it is done. */
    static Waiter then(Runnable step) {
        return new Waiter() {
            @Override
            public void done() {
                step.run();
            }

            @Override
            public void failed(FsError error, String message) {}
        };
    }
}
