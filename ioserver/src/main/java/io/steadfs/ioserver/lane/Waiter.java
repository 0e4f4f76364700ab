package io.steadfs.ioserver.lane;

import io.steadfs.error.FsError;
import java.util.function.BiConsumer;

/** Waits for the end of a batch. The lane's thread calls exactly one of the two methods, once. */
public interface Waiter {
    /** The changes are on stable storage. */
    void done();

    /** The changes are not on stable storage, or the outcome is unknown. */
    void failed(FsError error, String message);

    /** A waiter that runs one of two steps, by the outcome of the batch. */
    static Waiter of(Runnable done, BiConsumer<FsError, String> failed) {
        return new Waiter() {
            @Override
            public void done() {
                done.run();
            }

            @Override
            public void failed(FsError error, String message) {
                failed.accept(error, message);
            }
        };
    }

    /** A waiter for a step that is needed only after success. */
    static Waiter then(Runnable step) {
        return of(step, (error, message) -> {});
    }
}
