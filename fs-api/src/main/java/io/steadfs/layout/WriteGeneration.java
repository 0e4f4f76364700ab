package io.steadfs.layout;

/**
 * Numbers of a file's writers, from 1. The file's metadata shard gives them out. An IO server refuses a write with a lower number than it
 * has seen. So a made-up number must not be able to keep a file from being written for ever: the bounds are here.
 */
public final class WriteGeneration {
    /** Number of the first writer. */
    public static final long FIRST = 1;

    /** All real numbers are below this one, by far. One that is not was made up. */
    public static final long MOST = 1L << 62;

    /** A shard does not go on from a higher number that an IO server reports. The numbers from here up to {@link #MOST} last for ever. */
    public static final long MOST_TOLD = MOST - (1L << 48);

    private WriteGeneration() {}

    /** Whether a shard may have given this number out; 0 = none yet. */
    public static boolean isPossible(long generation) {
        return generation >= 0 && generation < MOST;
    }
}
