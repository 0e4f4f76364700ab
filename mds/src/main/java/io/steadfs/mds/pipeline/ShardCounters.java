package io.steadfs.mds.pipeline;

/**
 * Counts what a shard's writer has done since its start.
 *
 * @param batches appended to the log
 * @param commands decided
 * @param records appended
 * @param busy commands refused because the queue was full
 * @param cancelled commands that were dropped because nobody waited for the answer any more
 * @param faults commands whose decision threw an exception
 */
public record ShardCounters(long batches, long commands, long records, long busy, long cancelled, long faults) {}
