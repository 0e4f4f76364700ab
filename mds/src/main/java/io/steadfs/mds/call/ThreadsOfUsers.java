package io.steadfs.mds.call;

import java.util.concurrent.Executor;

/** The threads on which the long reads of each user run. */
@FunctionalInterface
public interface ThreadsOfUsers {
    /** Returns an executor for tasks of this user. The executor refuses a task with a RejectedExecutionException. */
    Executor of(String user);
}
