package io.steadfs.mds.pipeline;

/** The door of a shard's writer. */
@FunctionalInterface
public interface Shard {
    /**
     * Queues the command and returns at once; from any thread. The command hears the outcome: on one of the writer's threads,
     * or, where it was not even queued (BUSY, UNAVAILABLE), on the caller's before this returns.
     */
    void submit(Command<?> command);
}
