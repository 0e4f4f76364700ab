package io.steadfs.rpc;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.wire.proto.KindLatency;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class LatencyCountsTest {
    @Test
    void everyTimeIsInTheFirstBucketThatHasRoom() {
        for (int bucket = 0; bucket < LatencyCounts.BUCKETS - 1; bucket++) {
            long bound = (long) LatencyCounts.boundMicros(bucket);
            assertThat(LatencyCounts.bucket(bound)).as("%d us", bound).isEqualTo(bucket);
            assertThat(LatencyCounts.bucket(bound + 1)).as("%d us", bound + 1).isEqualTo(bucket + 1);
        }
        assertThat(LatencyCounts.bucket(0)).isZero();
        assertThat(LatencyCounts.bucket(Long.MAX_VALUE / 1000)).isEqualTo(LatencyCounts.BUCKETS - 1);
        assertThat(LatencyCounts.boundMicros(0)).isEqualTo(64);
        assertThat(LatencyCounts.boundMicros(1)).isEqualTo(96);
        assertThat(LatencyCounts.boundMicros(2)).isEqualTo(128);
        assertThat(LatencyCounts.boundMicros(LatencyCounts.BUCKETS - 1)).isInfinite();
    }

    @Test
    void quantilesAreThoseOfTheTimesUpToABucket() {
        LatencyHistogram histogram = new LatencyHistogram();
        for (int millis = 1; millis <= 1000; millis++) {
            histogram.add(TimeUnit.MILLISECONDS.toNanos(millis));
        }
        LatencyCounts counts = histogram.counts();
        assertThat(counts.count()).isEqualTo(1000);
        assertThat(counts.sumMicros()).isEqualTo(500_500_000);
        assertThat(counts.quantileMicros(0.5)).isBetween(393_216L, 524_288L);
        assertThat(counts.quantileMicros(0.99)).isBetween(786_432L, 1_048_576L);
        assertThat(LatencyCounts.none().quantileMicros(0.99)).isZero();
    }

    @Test
    void differencesAreOfOneServersLife() {
        LatencyHistogram histogram = new LatencyHistogram();
        histogram.add(100_000);
        LatencyCounts before = histogram.counts();
        histogram.add(10_000_000);
        LatencyCounts grown = histogram.counts().since(before);
        assertThat(grown.count()).isEqualTo(1);
        assertThat(grown.sumMicros()).isEqualTo(10_000);
        assertThat(before.since(histogram.counts())).isEqualTo(before);
        assertThat(before.plus(grown)).isEqualTo(histogram.counts());
    }

    @Test
    void bucketsOfANewerReleaseAreKept() {
        KindLatency.Builder told = KindLatency.newBuilder().setKind("STAT").setSumMicros(7);
        for (int i = 0; i < LatencyCounts.BUCKETS + 2; i++) {
            told.addCounts(1);
        }
        LatencyCounts counts = LatencyCounts.of(told.build());
        assertThat(counts.count()).isEqualTo(LatencyCounts.BUCKETS + 2);
        assertThat(counts.count(LatencyCounts.BUCKETS - 1)).isEqualTo(3);
    }
}
