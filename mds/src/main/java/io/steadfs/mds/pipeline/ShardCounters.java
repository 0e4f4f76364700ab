package io.steadfs.mds.pipeline;

/**
 * Counts what a shard's writer has done since its start.
 *
 * @param batches batches that were appended to the log
 * @param commands commands that were decided
 * @param records records that were appended to the log
 * @param busy commands that were refused because the queue was full
 * @param cancelled commands that were dropped because nobody waited for the answer any more
 * @param faults commands whose decision threw an exception
 */
public record ShardCounters(long batches, long commands, long records, long busy, long cancelled, long faults) {}
