package io.steadfs.mds.op.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.wire.proto.TakePartition;
import java.util.List;
import org.junit.jupiter.api.Test;

class TakePartitionPartTest {
    private static final SlotId SLOT = new SlotId(1, 7, 0);

    private static final Handle DIRECTORY = Handle.of(Handle.shardOwner(1), 0, 20);

    private static final Handle OWN = Handle.of(Handle.shardOwner(0), 0, 30);

    private static final int HALF = 1 << 29;

    private final Shell shell = new Shell();

    private Participation.Held prepared(int rateThere, double rateHere) throws Refused {
        return prepared(range(1, 1).setRate(rateThere), rateHere);
    }

    private static TakePartition.Builder range(int number, int depth) {
        return TakePartition.newBuilder()
                .setDirectory(DIRECTORY.value())
                .setNumber(number)
                .setDepth(depth);
    }

    private Participation.Held prepared(TakePartition.Builder request, double rateHere) throws Refused {
        Context context = new Context(
                Shell.principal("root"), shell.state.view(), shell.inputs().withNamesPerSecond(rateHere));
        return new TakePartitionPart(request.build()).prepare(SLOT, context);
    }

    @Test
    void aBusyShardTakesNoNamesOfAnotherBusyShard() throws Refused {
        assertThat(prepared(1_000, 499).records()).isNotEmpty();
        assertThatThrownBy(() -> prepared(1_000, 501))
                .isInstanceOf(Refused.class)
                .hasMessage("this shard makes 501 names a second, more than half of 1000");
        assertThat(prepared(0, 501).records())
                .as("a directory that is too large")
                .isNotEmpty();
    }

    @Test
    void aShardThatGotOtherNamesMeanwhileTakesNoMore() throws Refused {
        assertThatThrownBy(() -> prepared(range(1, 1).setKept(HALF - 1), 0))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("other names of directory " + DIRECTORY);
        shell.state.replay(prepared(range(1, 2).setKept(HALF / 2), 0).records());
        assertThatThrownBy(() -> prepared(range(2, 2).setKept(HALF - 1), 0))
                .as("beside what is staged")
                .isInstanceOf(Refused.class)
                .satisfies(refused -> assertThat(((Refused) refused).error()).isEqualTo(FsError.BUSY));
        assertThat(prepared(range(2, 2).setKept(HALF), 0).records()).isNotEmpty();
        assertThat(prepared(range(2, 2), 0).records())
                .as("a shard of an earlier release says nothing")
                .isNotEmpty();
        own(new MapEntry(new Partition(3, 2, OWN), false));
        assertThatThrownBy(() -> prepared(range(2, 3).setKept(HALF), 0))
                .as("beside what is staged, and what it owns")
                .isInstanceOf(Refused.class);
    }

    private void own(MapEntry entry) {
        shell.state.replay(List.of(new MapEntrySet(DIRECTORY, entry)));
    }

    /** A move to the home shard has no entry there but the one that is there already. */
    @Test
    void theHomeShardCountsWhatMoves() throws Refused {
        shell.given("mkdir wide");
        Handle wide = new Handle(shell.stat("wide").getHandle());
        Handle elsewhere = Handle.of(Handle.shardOwner(2), 0, 9);
        shell.state.replay(List.of(
                new MapEntrySet(wide, new MapEntry(new Partition(0, 2, wide), false)),
                new MapEntrySet(wide, new MapEntry(new Partition(2, 2, elsewhere), false)),
                new MapEntrySet(wide, new MapEntry(new Partition(1, 2, elsewhere), false)),
                new MapEntrySet(wide, new MapEntry(new Partition(3, 2, elsewhere), false))));
        TakePartition.Builder first = move(wide, 2, elsewhere);
        TakePartition.Builder second = move(wide, 1, elsewhere);
        assertThat(prepared(second, 0).records()).isNotEmpty();
        shell.state.replay(prepared(first, 0).records());
        assertThatThrownBy(() -> prepared(second, 0))
                .isInstanceOf(Refused.class)
                .hasMessageContaining("other names of directory " + wide);
    }

    private static TakePartition.Builder move(Handle directory, int number, Handle from) {
        return TakePartition.newBuilder()
                .setDirectory(directory.value())
                .setNumber(number)
                .setDepth(2)
                .setFrom(from.value())
                .setKept(HALF);
    }
}
