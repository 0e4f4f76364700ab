package io.steadfs.layout;

/**
 * Defines the bounds of write generations. A write generation is the number of one writer of a file, from 1. The file's
 * metadata shard gives every new writer a higher number. If an IO server has seen a higher number for a file, it
 * refuses a write with a lower number.
 *
 * <p>A client could make up a huge number, and every later writer of the file would then be refused for ever. The
 * bounds prevent that.
 */
public final class WriteGeneration {
    /** Write generation of a file's first writer. */
    public static final long FIRST = 1;

    /**
     * Upper bound of write generations. All real write generations are far below this bound. A generation that is not
     * below this bound was made up.
     */
    public static final long MOST = 1L << 62;

    /**
     * Largest write generation that a shard accepts from an IO server's report. The shard's next generation is above
     * the reported one. The numbers between this bound and {@link #MOST} are enough for all later writers.
     */
    public static final long MOST_TOLD = MOST - (1L << 48);

    private WriteGeneration() {}

    /** Whether the generation is within the bounds. 0 is valid too, and means that the file has had no writer yet. */
    public static boolean isPossible(long generation) {
        return generation >= 0 && generation < MOST;
    }
}
