package io.steadfs.mds.partition;

/**
 * Why it is looked whether a directory gives names.
 *
 * @param rate how many names the shard makes in a second, if the directory gives some because many are made in it; 0 = only
 *     if it has too many
 * @param refusals how often in a row names of the directory were not taken
 */
public record Occasion(int rate, int refusals) {}
