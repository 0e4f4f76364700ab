package io.steadfs.mds.op;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.MkdirsRequest;
import org.junit.jupiter.api.Test;
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

    /** Shards cannot work together yet: a directory that belongs elsewhere is refused, not put in the wrong place. */
    @Test
    void whatBelongsElsewhereIsRefused() {
        Shell shell = new Shell();
        Inputs inputs = shell.inputs();
        Inputs two = new Inputs(
                inputs.wallMillis(),
                0,
                inputs.cluster().toBuilder().setShardCount(2).build(),
                0,
                inputs.sequenceCeiling());
        for (int i = 0; i < 50; i++) {
            String name = "user-" + i;
            MkdirsRequest request =
                    MkdirsRequest.newBuilder().setLocation(Shell.at("/" + name)).build();
            Decision<Reply> decision = new Mkdirs(1).decide(request, Shell.asker("root"), shell.state.view(), two);
            boolean here = new Placement(1).shardOf(Handle.ROOT, name, 1, 2) == 0;
            assertThat(decision.answer().error()).isEqualTo(here ? FsError.OK : FsError.NOT_SUPPORTED);
            assertThat(decision.records().isEmpty()).isEqualTo(!here);
        }
    }
}
