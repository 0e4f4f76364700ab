package io.steadfs.mds.call;

import java.util.concurrent.Executor;

/** The threads on which the long reads of each user run. */
@FunctionalInterface
public interface ThreadsOfUsers {
    /** Runs tasks of this user. A task is refused with a RejectedExecutionException. */
    Executor of(String user);
}
