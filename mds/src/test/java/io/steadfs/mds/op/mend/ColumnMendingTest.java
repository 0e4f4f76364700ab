package io.steadfs.mds.op.mend;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.LayoutRow;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.store.Unsettled;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.MendColumn;
import io.steadfs.wire.proto.MendRequest;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** A file ends where one of its columns has no more bytes: which files, and where. */
class ColumnMendingTest {
    private static final Handle FILE = Handle.of(Handle.shardOwner(0), 0, 1 << 20);
    private static final Handle HERE = Handle.of(1, 0, 7);
    private static final Handle GONE = Handle.of(9, 0, 8);
    private static final int STRIP = 1000;

    private final Shell shell = new Shell();

    @BeforeEach
    void oneIoServer() {
        shell.cluster = FixedInputs.CLUSTER.toBuilder()
                .clearServers()
                .addServers(ClusterMap.Server.newBuilder()
                        .setRole(ClusterMap.Role.IO)
                        .setId(1))
                .build();
    }

    /** The damage begins at byte 500 of the first column, or the second column's server is gone. */
    @ParameterizedTest(name = "{0}")
    @CsvSource({
        "closed,                              false, false, 1800,    0, false, false, OK, 500",
        "closed before the damage,            false, false,  300,    0, false, false, OK, 300",
        "open,                                true,  false, 1800,    0, false, false, STALE_VERSION, 0",
        "awaits recovery,                     false, true,     0, 1800, false, false, STALE_VERSION, 0",
        "awaits recovery in a held shard,     false, true,     0, 1800, true,  false, OK, 500",
        "little flushed in a held shard,      false, true,     0,  400, true,  false, OK, 400",
        "open in a held shard,                true,  false,    0, 1800, true,  false, STALE_VERSION, 0",
        "awaits recovery for a server gone,   false, true,     0, 1800, false, true,  OK, 1000",
        "open; a server is gone,              true,  false,    0, 1800, false, true,  STALE_VERSION, 0"
    })
    void endsAtTheDamageAndNotBefore(
            String what,
            boolean open,
            boolean recovering,
            long length,
            long flushed,
            boolean held,
            boolean stranger,
            FsError error,
            long end) {
        MetafileRow row = MetafileRow.newBuilder()
                .setVersion(3)
                .setLength(length)
                .setFlushedLength(flushed)
                .setWriterSession(open ? 5 : 0)
                .setRecovering(recovering)
                .setWriteGeneration(2)
                .setLayout(LayoutRow.newBuilder()
                        .setWidth(2)
                        .setStripSize(STRIP)
                        .addDatafiles(HERE.value())
                        .addDatafiles(GONE.value()))
                .build();
        shell.state.replay(List.of(new MetafileSet(FILE, row)));
        if (held) {
            shell.state.replay(List.of(view -> Unsettled.mark(view, ShardTables.META, "salvaged")));
        }
        MendColumn.Builder column =
                MendColumn.newBuilder().setMetafile(FILE.value()).setVersion(3);
        if (stranger) {
            column.setDatafile(GONE.value()).setIndex(1).setDrop(true);
        } else {
            column.setDatafile(HERE.value()).setIndex(0).setBytes(500);
        }
        FsError answer = shell.state
                .apply(new Mend()
                        .decide(
                                MendRequest.newBuilder().setColumn(column).build(),
                                Shell.principal("root"),
                                shell.state.view(),
                                shell.inputs()))
                .error();
        assertThat(answer).isEqualTo(error);
        MetafileRow after = Metafiles.find(shell.state.view(), FILE).orElseThrow();
        if (error == FsError.OK) {
            assertThat(after.getLength()).isEqualTo(end);
            assertThat(after.getFlushedLength()).isZero();
            assertThat(after.getCut()).isTrue();
            assertThat(after.getRecovering()).isTrue();
            assertThat(after.getLayout().getDatafiles(1)).isEqualTo(stranger ? 0 : GONE.value());
        } else {
            assertThat(after).isEqualTo(row);
        }
    }
}
