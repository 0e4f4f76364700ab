package io.steadfs.mds.call;

import java.util.concurrent.Executor;

/** The threads on which the long reads of each user run. */
@FunctionalInterface
public interface ThreadsOfUsers {
    /** Runs tasks of this user. It refuses a task with a RejectedExecutionException. */
    Executor of(String user);
}
