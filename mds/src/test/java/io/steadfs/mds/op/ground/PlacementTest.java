package io.steadfs.mds.op.ground;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.handle.Handle;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlacementTest {
    private static final Handle PARENT = Handle.of(Handle.shardOwner(3), 0, 8);

    @ParameterizedTest(name = "spread to {0}, depth {1}, shards {2}: spread {3}")
    @CsvSource({"2, 1, 8, true", "2, 2, 8, true", "2, 3, 8, false", "0, 1, 8, false", "2, 1, 1, false"})
    void dealsOutNearTheRootOnly(int spreadDepth, int depth, int shards, boolean spread) {
        Placement placement = new Placement(spreadDepth);
        int[] counts = new int[Math.max(shards, 8)];
        for (int i = 0; i < 8000; i++) {
            counts[placement.shardOf(PARENT, "user-" + i, depth, shards)]++;
        }
        if (spread) {
            for (int count : counts) {
                assertThat(count).isBetween(850, 1150);
            }
        } else {
            assertThat(counts[3]).isEqualTo(8000);
        }
    }
}
