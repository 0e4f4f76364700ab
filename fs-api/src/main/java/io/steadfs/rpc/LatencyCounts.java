package io.steadfs.rpc;

import io.steadfs.wire.proto.KindLatency;
import java.util.Arrays;

/**
 * How long messages of one kind took: for each bucket, how many took at most so long. The bounds grow by half and by a third in turn: 64,
 * 96, 128, 192, 256 microseconds and so on up to 33.5 seconds. The last bucket has all messages that took longer.
 */
public final class LatencyCounts {
    public static final int BUCKETS = 40;

    private static final int LEAST_BITS = 6;
    private static final int LAST = BUCKETS - 1;

    private final long[] counts;
    private final long sumMicros;

    /**
     * Takes over the array.
     *
     * @param counts by bucket, {@link #BUCKETS} of them
     * @param sumMicros of all times, in microseconds
     */
    LatencyCounts(long[] counts, long sumMicros) {
        if (counts.length != BUCKETS) {
            throw new IllegalArgumentException(counts.length + " buckets, not " + BUCKETS);
        }
        this.counts = counts;
        this.sumMicros = sumMicros;
    }

    /** Counts without any message. */
    public static LatencyCounts none() {
        return new LatencyCounts(new long[BUCKETS], 0);
    }

    /** Counts as a server reports them. Buckets that this release does not know count as the last one. */
    public static LatencyCounts of(KindLatency told) {
        long[] counts = new long[BUCKETS];
        for (int i = 0; i < told.getCountsCount(); i++) {
            counts[Math.min(i, LAST)] += told.getCounts(i);
        }
        return new LatencyCounts(counts, told.getSumMicros());
    }

    /** The bucket of a time. */
    static int bucket(long micros) {
        if (micros <= 1L << LEAST_BITS) {
            return 0;
        }
        int bits = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros - 1);
        boolean isLowHalf = micros - 1 < 3L << (bits - 1);
        return Math.min(LAST, 2 * (bits - LEAST_BITS) + (isLowHalf ? 1 : 2));
    }

    /** Upper bound of a bucket in microseconds. Infinite for the last bucket. */
    public static double boundMicros(int bucket) {
        if (bucket == LAST) {
            return Double.POSITIVE_INFINITY;
        }
        return bucket % 2 == 0 ? 1L << (LEAST_BITS + bucket / 2) : 3L << (LEAST_BITS - 1 + bucket / 2);
    }

    /** How many messages are in a bucket. */
    public long count(int bucket) {
        return counts[bucket];
    }

    /** Sum of all times, in microseconds. */
    public long sumMicros() {
        return sumMicros;
    }

    /** Number of all messages. */
    public long count() {
        return Arrays.stream(counts).sum();
    }

    public LatencyCounts plus(LatencyCounts more) {
        long[] sums = counts.clone();
        Arrays.setAll(sums, i -> counts[i] + more.counts[i]);
        return new LatencyCounts(sums, sumMicros + more.sumMicros);
    }

    /** The counts since an earlier look. If the earlier look has more, the server was restarted, and all present counts are new. */
    public LatencyCounts since(LatencyCounts before) {
        long[] rest = counts.clone();
        for (int i = 0; i < BUCKETS; i++) {
            rest[i] = counts[i] - before.counts[i];
            if (rest[i] < 0) {
                return this;
            }
        }
        return new LatencyCounts(rest, Math.max(0, sumMicros - before.sumMicros));
    }

    /**
     * The time within which this part of the messages was done, in microseconds. It is exact to the bucket; times are taken as spread
     * evenly within a bucket. 0 where there are no messages.
     *
     * @param part 0.5 for the median, 0.99 for the 99th percentile
     */
    public long quantileMicros(double part) {
        long rank = (long) Math.ceil(part * count());
        long below = 0;
        for (int i = 0; i < BUCKETS && rank > 0; i++) {
            if (below + counts[i] >= rank) {
                double low = i == 0 ? 0 : boundMicros(i - 1);
                double high = i == LAST ? low : boundMicros(i);
                return Math.round(low + (high - low) * (rank - below) / counts[i]);
            }
            below += counts[i];
        }
        return 0;
    }

    @Override
    public boolean equals(Object other) {
        return other instanceof LatencyCounts that && sumMicros == that.sumMicros && Arrays.equals(counts, that.counts);
    }

    @Override
    public int hashCode() {
        return 31 * Arrays.hashCode(counts) + Long.hashCode(sumMicros);
    }

    @Override
    public String toString() {
        return count() + " in " + sumMicros + " us";
    }
}
