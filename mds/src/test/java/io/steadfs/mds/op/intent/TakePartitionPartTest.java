package io.steadfs.mds.op.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.handle.Handle;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.wire.proto.TakePartition;
import org.junit.jupiter.api.Test;

class TakePartitionPartTest {
    private static final SlotId SLOT = new SlotId(1, 7, 0);

    private final Shell shell = new Shell();

    private Participation.Held prepared(int rateThere, double rateHere) throws Refused {
        TakePartition request = TakePartition.newBuilder()
                .setDirectory(Handle.of(Handle.shardOwner(1), 0, 20).value())
                .setNumber(1)
                .setDepth(1)
                .setRate(rateThere)
                .build();
        Context context = new Context(
                Shell.principal("root"), shell.state.view(), shell.inputs().withNamesPerSecond(rateHere));
        return new TakePartitionPart(request).prepare(SLOT, context);
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
}
