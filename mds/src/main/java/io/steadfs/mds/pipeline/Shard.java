package io.steadfs.mds.pipeline;

/** The entrance to a shard's writer. */
@FunctionalInterface
public interface Shard {
    /**
     * Queues the command. May be called from any thread. The command gets its outcome on a writer thread, and this method
     * returns at once. If the command says that it may run here ({@link Command#mayRunHere}), the calling thread may decide
     * and commit it, with others that are queued, before this method returns. If it says that it may be decided here
     * ({@link Command#mayBeDecidedHere}), the calling thread may decide it and a few others while the shard commits.
     *
     * <p>A command that the queue refuses is dropped on the caller's thread before this method returns. A full queue
     * drops the command with BUSY, a closed queue with UNAVAILABLE.
     */
    void submit(Command<?> command);
}
