package io.steadfs.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.wire.proto.ClusterMap;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class ShardCountsTest {
    private static ShardCounts counts(int formatted, int serving, int all) {
        return ShardCounts.of(ClusterMap.newBuilder()
                .setShardCount(formatted)
                .setServingShards(serving)
                .setAllShards(all)
                .build());
    }

    @Test
    void aMapWithoutAddedShardsHasOneCount() {
        assertThat(counts(3, 0, 0)).isEqualTo(new ShardCounts(3, 3, 3));
        assertThat(counts(0, 0, 0)).as("no map yet").isEqualTo(new ShardCounts(1, 1, 1));
        assertThat(counts(2, 3, 5)).isEqualTo(new ShardCounts(2, 3, 5));
        assertThat(counts(1, 1, 2).isOne()).as("a shard that joins counts").isFalse();
        assertThat(counts(2, 2, 3).has(2)).isTrue();
        assertThat(counts(2, 2, 3).has(3)).isFalse();
        assertThat(counts(2, 2, 3).has(-1)).isFalse();
    }

    @Test
    void aSessionKeepsItsHomeWhenShardsAreAdded() {
        ShardCounts first = counts(3, 0, 0);
        ShardCounts joining = counts(3, 3, 4);
        ShardCounts serving = counts(3, 4, 4);
        ShardCounts more = counts(3, 9, 9);
        for (long session : LongStream.rangeClosed(1, 1000).toArray()) {
            int home = first.homeOfNew(session);
            assertThat(first.nameOfNew(session))
                    .as("nothing is named before the first addition")
                    .isZero();
            assertThat(joining.homeOfNew(session)).isEqualTo(home);
            for (ShardCounts later : new ShardCounts[] {first, joining, serving, more}) {
                assertThat(later.home(session, first.nameOfNew(session))).isEqualTo(home);
                assertThat(later.home(session, serving.nameOfNew(session))).isEqualTo(serving.homeOfNew(session));
            }
        }
        assertThat(LongStream.rangeClosed(1, 1000).mapToInt(serving::homeOfNew).distinct())
                .containsExactlyInAnyOrder(0, 1, 2, 3);
    }

    /** An earlier release computes homes and shards by the only count that it knows. */
    @Test
    void theCountOfEarlierReleasesNeverChanges() {
        long session = 0x02_0123456789abcdL;
        assertThat(counts(3, 4, 5).home(session, 0)).isEqualTo(HomeShard.of(session, 3));
    }
}
