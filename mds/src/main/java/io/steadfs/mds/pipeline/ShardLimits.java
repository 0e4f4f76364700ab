package io.steadfs.mds.pipeline;

import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import java.util.List;

/**
 * Limits of a shard's queue and batches. If the queue is full, a request is answered BUSY. If a batch is full, further
 * commands wait for the next batch.
 */
public record ShardLimits(int queueCommands, long queueBytes, int batchCommands, long batchBytes) {
    public static final ConfigKey<Long> QUEUE_COMMANDS = ConfigKey.number(
            "stead.mds.queue.requests",
            10_000,
            1,
            10_000_000,
            "",
            "Most requests that wait for a shard's writer; further ones are refused with BUSY.");
    public static final ConfigKey<Long> QUEUE_BYTES = ConfigKey.number(
            "stead.mds.queue.bytes",
            64 << 20,
            1 << 10,
            1L << 40,
            "bytes",
            "Most bytes of the requests that wait for a shard's writer; further ones are refused with BUSY.");
    public static final ConfigKey<Long> BATCH_COMMANDS = ConfigKey.number(
            "stead.mds.batch.requests", 1024, 1, 1_000_000, "", "Most requests that a shard decides in one batch.");
    public static final ConfigKey<Long> BATCH_BYTES = ConfigKey.number(
            "stead.mds.batch.bytes",
            16 << 20,
            1 << 10,
            1L << 30,
            "bytes",
            "Most bytes of the requests that a shard decides in one batch; one request may exceed it.");

    public static final ConfigKeys KEYS =
            new ConfigKeys(List.of(QUEUE_COMMANDS, QUEUE_BYTES, BATCH_COMMANDS, BATCH_BYTES));

    public static ShardLimits from(Settings settings) {
        return new ShardLimits(
                settings.get(QUEUE_COMMANDS).intValue(),
                settings.get(QUEUE_BYTES),
                settings.get(BATCH_COMMANDS).intValue(),
                settings.get(BATCH_BYTES));
    }

    public ShardLimits {
        if (queueCommands < 1 || queueBytes < 1 || batchCommands < 1 || batchBytes < 1) {
            throw new IllegalArgumentException("limits of a shard: queue " + queueCommands + " commands, " + queueBytes
                    + " bytes; batch " + batchCommands + " commands, " + batchBytes + " bytes");
        }
    }
}
