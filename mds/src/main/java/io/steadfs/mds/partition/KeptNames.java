package io.steadfs.mds.partition;

/**
 * Names were not given.
 *
 * @param isForGood whether it is in vain to try again before the directory changes
 */
public record KeptNames(String why, boolean isForGood) {}
