package io.steadfs.mds.pipeline;

/** The entrance to a shard's writer. */
@FunctionalInterface
public interface Shard {
    /**
     * Queues the command and returns at once. May be called from any thread. The command hears the outcome on a writer
     * thread. A command that was not even queued is dropped on the caller's thread, before this method returns: with BUSY by
     * a full queue, with UNAVAILABLE by a closed one.
     */
    void submit(Command<?> command);
}
