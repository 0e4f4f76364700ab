package io.steadfs.mds.op.intent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.directory.proto.Giving;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.op.PlacedName;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.wire.proto.LockSource;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The source of a rename, in a directory whose names are given to another shard. */
class LockSourcePartTest {
    private static final SlotId SLOT = new SlotId(1, 7, 0);

    private static final String UPPER = PlacedName.inHalf(true);

    private static final String LOWER = PlacedName.inHalf(false);

    private final Shell shell = new Shell().given("mkdir wide; create wide/" + UPPER + "; create wide/" + LOWER);

    private final Handle wide = new Handle(shell.stat("wide").getHandle());

    private Participation.Held prepared(String name) throws Refused {
        LockSource request =
                LockSource.newBuilder().setDirectory(wide.value()).setName(name).build();
        return new LockSourcePart(request)
                .prepare(SLOT, new Context(Shell.principal("root"), shell.state.view(), shell.inputs()));
    }

    private void refused(String name, FsError error) {
        assertThatThrownBy(() -> prepared(name))
                .isInstanceOf(Refused.class)
                .satisfies(refused -> assertThat(((Refused) refused).error()).isEqualTo(error));
    }

    private DirectoryRow row() {
        return Directories.find(shell.state.view(), wide).orElseThrow();
    }

    /** A refusal for good would be kept for the request, though the name is there. */
    @Test
    void aNameOfAnotherPartitionIsNotSaidToBeMissing() throws Refused {
        refused("none", FsError.NOT_FOUND);
        Handle upper = Handle.of(Handle.shardOwner(2), 0, 9);
        shell.state.replay(List.of(
                new DirectorySet(wide, row().toBuilder().setSplit(true).build()),
                new MapEntrySet(wide, new MapEntry(new Partition(0, 1, wide), false)),
                new MapEntrySet(wide, new MapEntry(new Partition(1, 1, upper), false))));
        refused(UPPER, FsError.STALE_START);
        assertThat(prepared(LOWER).records()).isNotEmpty();
    }

    @Test
    void aNameThatIsGivenIsNotHeld() throws Refused {
        Giving upperHalf = Giving.newBuilder().setNumber(1).setDepth(1).build();
        shell.state.replay(List.of(
                new DirectorySet(wide, row().toBuilder().setGiving(upperHalf).build())));
        refused(UPPER, FsError.BUSY);
        assertThat(prepared(LOWER).records()).isNotEmpty();
        shell.state.replay(
                List.of(new DirectorySet(wide, row().toBuilder().clearGiving().build())));
        assertThat(prepared(UPPER).records()).isNotEmpty();
    }
}
