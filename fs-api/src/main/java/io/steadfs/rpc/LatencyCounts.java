package io.steadfs.rpc;

import io.steadfs.wire.proto.KindLatency;
import java.util.Arrays;

/**
 * Says how long messages of one kind took, as counts of messages in buckets. A bucket counts the messages that took
 * longer than the bound of the bucket before, and no longer than its own bound. The bounds grow by a half and by a
 * third in turn: 64, 96, 128, 192, 256 microseconds and so on up to 33.5 seconds. The last bucket has no bound: it
 * counts all longer times.
 */
public final class LatencyCounts {
    public static final int BUCKETS = 40;

    private static final int LEAST_BITS = 6;
    private static final int LAST = BUCKETS - 1;

    private final long[] counts;
    private final long sumMicros;

    /**
     * Makes counts of the given numbers. The array belongs to the new object.
     *
     * @param counts number of messages of each of the {@link #BUCKETS} buckets
     * @param sumMicros sum of the times of all messages, in microseconds
     */
    LatencyCounts(long[] counts, long sumMicros) {
        if (counts.length != BUCKETS) {
            throw new IllegalArgumentException(counts.length + " buckets, not " + BUCKETS);
        }
        this.counts = counts;
        this.sumMicros = sumMicros;
    }

    /** Returns counts that contain no message. */
    public static LatencyCounts none() {
        return new LatencyCounts(new long[BUCKETS], 0);
    }

    /**
     * Returns the counts that a server reported. If the server has more buckets than this release, the messages of the
     * further buckets count for the last bucket.
     */
    public static LatencyCounts of(KindLatency told) {
        long[] counts = new long[BUCKETS];
        for (int i = 0; i < told.getCountsCount(); i++) {
            counts[Math.min(i, LAST)] += told.getCounts(i);
        }
        return new LatencyCounts(counts, told.getSumMicros());
    }

    /** Number of the bucket that counts messages of this time. */
    static int bucket(long micros) {
        if (micros <= 1L << LEAST_BITS) {
            return 0;
        }
        int bits = Long.SIZE - 1 - Long.numberOfLeadingZeros(micros - 1);
        boolean isLowHalf = micros - 1 < 3L << (bits - 1);
        return Math.min(LAST, 2 * (bits - LEAST_BITS) + (isLowHalf ? 1 : 2));
    }

    /** Upper bound of a bucket, in microseconds. Infinite for the last bucket. */
    public static double boundMicros(int bucket) {
        if (bucket == LAST) {
            return Double.POSITIVE_INFINITY;
        }
        return bucket % 2 == 0 ? 1L << (LEAST_BITS + bucket / 2) : 3L << (LEAST_BITS - 1 + bucket / 2);
    }

    /** Number of messages in a bucket. */
    public long count(int bucket) {
        return counts[bucket];
    }

    /** Sum of the times of all messages, in microseconds. */
    public long sumMicros() {
        return sumMicros;
    }

    /** Number of messages in all buckets. */
    public long count() {
        return Arrays.stream(counts).sum();
    }

    public LatencyCounts plus(LatencyCounts more) {
        long[] sums = counts.clone();
        Arrays.setAll(sums, i -> counts[i] + more.counts[i]);
        return new LatencyCounts(sums, sumMicros + more.sumMicros);
    }

    /**
     * Returns the counts of the messages since an earlier time. If a bucket counted more messages then than now, the
     * server was restarted. In that case all present counts are new.
     *
     * @param before counts of the same server at the earlier time
     */
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
     * Estimates a quantile of the times, in microseconds. The estimate lies in the right bucket. Within a bucket, the
     * times count as evenly spread. 0 if there are no messages.
     *
     * @param part part of the messages that took no longer than the quantile: 0.5 for the median, 0.99 for the 99th
     *     percentile
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
