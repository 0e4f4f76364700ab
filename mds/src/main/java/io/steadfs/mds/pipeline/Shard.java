package io.steadfs.mds.pipeline;

/** The entrance to a shard's writer. */
@FunctionalInterface
public interface Shard {
    /**
     * Queues the command and returns at once. May be called from any thread. The command hears the outcome on a writer
     * thread. If the command was not even queued (BUSY, UNAVAILABLE), it hears this on the caller's thread before this method
     * returns.
     */
    void submit(Command<?> command);
}
