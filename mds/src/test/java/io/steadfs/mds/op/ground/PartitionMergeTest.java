package io.steadfs.mds.op.ground;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.partition.PartitionMap.Partition;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which partitions are merged. */
class PartitionMergeTest {
    private static final int SPLIT_ENTRIES = 8;

    private final Shell shell = new Shell().given("mkdir wide");

    private final Handle wide = new Handle(shell.stat("wide").getHandle());

    /** What is merged must not be about to split again. */
    @Test
    void bothHaveHalfOfWhatMakesASplitAtMost() throws Refused {
        Partition upper = new Partition(1, 1, Handle.of(Handle.shardOwner(2), 0, 9));
        shell.state.replay(List.of(
                new MapEntrySet(wide, new MapEntry(new Partition(0, 1, wide), false)),
                new MapEntrySet(wide, new MapEntry(upper, false)),
                new CountsSet(
                        wide, DirectoryCounts.first(1).toBuilder().setEntries(3).build())));
        PartitionMerge merge = PartitionMerge.of(wide, upper, wide, new PartitionLimits(SPLIT_ENTRIES, 8, 100));
        Context context = new Context(Shell.principal("root"), shell.state.view(), shell.inputs());
        merge.requireRoom(1, context);
        assertThatThrownBy(() -> merge.requireRoom(2, context))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("both partitions have 5 names")
                .satisfies(refused -> assertThat(((Refused) refused).error()).isEqualTo(FsError.TOO_LARGE));
    }
}
