package io.steadfs.mds.op.name;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.deletion.QueuedDatafile;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.layout.LayoutChoice;
import io.steadfs.mds.op.layout.NewFile;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.session.Claims;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.CreateReply;
import io.steadfs.wire.proto.CreateRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class CreateFileTest {
    private final Shell shell = new Shell().given("mkdir /d 777; chgrp staff /d");

    private Attributes create(String user, String command) {
        return ((CreateReply) shell.as(user, command).body()).getAttributes();
    }

    @Test
    void makesAnEmptyOpenFileOfTheAsker() {
        Attributes made = create("anna", "create /d/f 640");
        assertThat(made).isEqualTo(shell.stat("/d/f"));
        assertThat(made.getMode()).isEqualTo(0640);
        assertThat(made.getOwner()).isEqualTo("anna");
        assertThat(made.getGroup()).as("the directory's").isEqualTo("staff");
        assertThat(made.getLength()).isZero();
        assertThat(made.getOpen()).isTrue();
        assertThat(made.getWriteGeneration()).isEqualTo(1);
        assertThat(made.getBlockSize()).isEqualTo(FixedInputs.CLUSTER.getBlockSize());
        assertThat(made.getAccessTime()).isEqualTo(made.getModificationTime());
        assertThat(made.getLayout().getDatafilesList()).containsExactly(0L, 0L);
        assertThat(Claims.of(shell.state.view(), Shell.SESSION, 9)).containsExactly(new Handle(made.getHandle()));
        assertThat(shell.stat("/d").getModificationTime()).isEqualTo(made.getModificationTime());
        assertThat(shell.stat("/d").getEntries()).isEqualTo(1);
    }

    @Test
    void parentsBelongToTheAskerAndCanBeGoneThrough() {
        create("anna", "creates /d/p/q/f");
        for (String parent : List.of("/d/p", "/d/p/q")) {
            Attributes made = shell.stat(parent);
            assertThat(made.getOwner()).isEqualTo("anna");
            assertThat(made.getGroup()).isEqualTo("staff");
            assertThat(made.getMode() & 0300).isEqualTo(0300);
            assertThat(made.getEntries()).isEqualTo(1);
        }
    }

    @Test
    void overwriteQueuesTheOldDatafilesAndReleasesTheOldWriter() {
        Handle old = new Handle(create("anna", "create /d/f").getHandle());
        Handle datafile = Handle.of(2, 0, 77);
        MetafileRow.Builder row = Metafiles.find(shell.state.view(), old).orElseThrow().toBuilder();
        row.getLayoutBuilder().setDatafiles(0, datafile.value());
        shell.state.replay(List.of(new MetafileSet(old, row.build())));

        Attributes made = create("anna", "create! /d/f");
        assertThat(made.getHandle()).isNotEqualTo(old.value());
        assertThat(Metafiles.find(shell.state.view(), old)).isEmpty();
        assertThat(DeletionQueue.datafiles(shell.state.view(), 2, QueuedDatafile.NONE, 9))
                .containsExactly(new QueuedDatafile(datafile, old));
        assertThat(Claims.of(shell.state.view(), Shell.SESSION, 9)).containsExactly(new Handle(made.getHandle()));
        assertThat(shell.stat("/d").getEntries()).isEqualTo(1);
    }

    @Test
    void waitsForReservedHandles() {
        Inputs inputs = shell.inputs();
        Inputs used = new Inputs(inputs.wallMillis(), 0, inputs.cluster(), 0, 4);
        CreateRequest request =
                CreateRequest.newBuilder().setLocation(Shell.at("/d/f")).build();
        assertThat(new CreateFile(0)
                        .decide(request, Shell.principal("anna"), shell.state.view(), used)
                        .answer()
                        .error())
                .as("the next is 3")
                .isEqualTo(FsError.OK);
        CreateRequest withParent = request.toBuilder()
                .setLocation(Shell.at("/d/p/f"))
                .setCreateParents(true)
                .build();
        assertThat(new CreateFile(0).decide(withParent, Shell.principal("anna"), shell.state.view(), used))
                .satisfies(decision -> assertThat(decision.records()).isEmpty())
                .satisfies(decision -> assertThat(decision.answer().error()).isEqualTo(FsError.BUSY));
    }

    @ParameterizedTest(name = "alive {0}, dead {1}, width {2}, near {3}, sequence {4} -> {5}")
    @CsvSource({
        "'1 2 3', '', 0, 0, 0, '1 2'",
        "'1 2 3', '', 0, 0, 1, '2 3'",
        "'1 2 3', '', 0, 0, 5, '3 1'",
        "'1', '', 0, 0, 1, '1'",
        "'1 3', '2', 0, 0, 0, '1 3'",
        "'', '1 2', 0, 0, 0, '1 2'",
        "'1 2 3', '', 3, 0, 1, '2 3 1'",
        "'1 2', '', 4, 0, 0, '1 2 1 2'",
        "'1', '', 3, 0, 0, '1 1 1'",
        "'1 2 3', '', 1, 3, 0, '3'",
        "'1 2 3', '', 2, 3, 0, '3 1'",
        "'1 2 3', '', 3, 3, 1, '3 2 1'",
        "'1 2 3', '', 2, 9, 0, '1 2'",
        "'1', '', 2, 1, 0, '1 1'",
    })
    void columnsGoAroundTheServers(String alive, String dead, int width, int near, long sequence, String expected)
            throws Refused {
        ClusterMap.Builder cluster = FixedInputs.CLUSTER.toBuilder().clearServers();
        addServers(cluster, alive, true);
        addServers(cluster, dead, false);
        CreateRequest request = CreateRequest.newBuilder()
                .setWidth(width)
                .setNearServer(near == 0 ? 0 : near + 1)
                .build();
        assertThat(LayoutChoice.choose(NewFile.of(request), cluster.build(), sequence)
                        .getServersList())
                .containsExactlyElementsOf(ids(expected));
    }

    private static void addServers(ClusterMap.Builder cluster, String ids, boolean alive) {
        for (int id : ids(ids)) {
            cluster.addServers(ClusterMap.Server.newBuilder()
                    .setRole(ClusterMap.Role.IO)
                    .setId(id)
                    .setAlive(alive));
        }
    }

    private static List<Integer> ids(String text) {
        return text.isEmpty()
                ? List.of()
                : List.of(text.split(" ", -1)).stream().map(Integer::valueOf).toList();
    }

    @ParameterizedTest
    @CsvSource({
        "255, 0, OK",
        "256, 0, INVALID_ARGUMENT",
        "-1, 0, INVALID_ARGUMENT",
        "1, 65536, OK",
        "1, 65535, INVALID_ARGUMENT",
        "1, 1073741824, OK",
        "1, 1073807360, INVALID_ARGUMENT",
        "1, -65536, INVALID_ARGUMENT",
    })
    void shapesHaveBounds(int width, int stripSize, String error) {
        Reply reply = shell.decide(
                new CreateFile(0),
                CreateRequest.newBuilder()
                        .setLocation(Shell.at("/d/f"))
                        .setWidth(width)
                        .setStripSize(stripSize)
                        .build(),
                Shell.principal("anna"));
        assertThat(reply.error()).isEqualTo(FsError.valueOf(error));
    }

    @Test
    void aClusterWithoutIoServersIsNotReady() {
        Inputs inputs = shell.inputs();
        Inputs empty = new Inputs(
                inputs.wallMillis(),
                0,
                inputs.cluster().toBuilder().clearServers().build(),
                0,
                inputs.sequenceCeiling());
        CreateRequest request =
                CreateRequest.newBuilder().setLocation(Shell.at("/d/f")).build();
        assertThat(new CreateFile(0)
                        .decide(request, Shell.principal("anna"), shell.state.view(), empty)
                        .answer()
                        .error())
                .isEqualTo(FsError.UNAVAILABLE);
    }
}
