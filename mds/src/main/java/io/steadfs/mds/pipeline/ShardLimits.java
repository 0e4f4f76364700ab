package io.steadfs.mds.pipeline;

/**
 * Bounds of a shard's queue and batches. Beyond the queue's bounds a request is answered BUSY; beyond the batch's the
 * rest waits for the next batch.
 */
public record ShardLimits(int queueCommands, long queueBytes, int batchCommands, long batchBytes) {
    public ShardLimits {
        if (queueCommands < 1 || queueBytes < 1 || batchCommands < 1 || batchBytes < 1) {
            throw new IllegalArgumentException("limits of a shard: queue " + queueCommands + " commands, " + queueBytes
                    + " bytes; batch " + batchCommands + " commands, " + batchBytes + " bytes");
        }
    }
}
