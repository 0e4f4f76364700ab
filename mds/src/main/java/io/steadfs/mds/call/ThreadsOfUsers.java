package io.steadfs.mds.call;

import java.util.concurrent.Executor;

/** Where the long reads of each user run. */
@FunctionalInterface
public interface ThreadsOfUsers {
    /** Runs tasks of this user; refuses by RejectedExecutionException. */
    Executor of(String user);
}
