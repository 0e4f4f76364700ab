package io.steadfs.mds.op.layout;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.hello.TestHello;
import io.steadfs.mds.datafile.ListedDatafile;
import io.steadfs.mds.datafile.ListedDatafiles;
import io.steadfs.mds.fence.Fences;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.name.CreateFile;
import io.steadfs.mds.op.name.CreateMetafile;
import io.steadfs.mds.op.write.AttachDatafiles;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.rpc.Reply;
import io.steadfs.store.Unsettled;
import io.steadfs.wire.proto.AttachRequest;
import io.steadfs.wire.proto.AttachedColumn;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.CreateMetafileReply;
import io.steadfs.wire.proto.CreateMetafileRequest;
import io.steadfs.wire.proto.CreateReply;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.FenceHandlesReply;
import io.steadfs.wire.proto.FenceHandlesRequest;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Files that name leased datafiles, and fences that end leases. */
class LeasedDatafilesTest {
    private final Shell shell = new Shell().given("mkdir /d 777");

    private static Handle datafile(int owner, long number) {
        return Handle.of(owner, 0, number);
    }

    private static AttachedColumn column(int index, Handle datafile) {
        return AttachedColumn.newBuilder()
                .setIndex(index)
                .setDatafile(datafile.value())
                .build();
    }

    private <Q extends MessageLite> Reply decide(Operation<Q> operation, Q request) {
        return decide(operation, request, PeerIdentity.server(TestHello.io(1)));
    }

    private <Q extends MessageLite> Reply decide(Operation<Q> operation, Q request, PeerIdentity sender) {
        return shell.state.apply(
                operation.decide(request, Shell.principal("anna").on(sender), shell.state.view(), shell.inputs()));
    }

    @Test
    void anIoServerFencesItsOwnHandlesOnly() {
        FenceHandlesRequest request = fenceRequest(datafile(1, 50), datafile(1, 60));
        for (PeerIdentity other : List.of(
                PeerIdentity.server(TestHello.io(2)),
                PeerIdentity.server(TestHello.mds(1)),
                PeerIdentity.client("root"))) {
            assertThat(decide(new FenceHandles(), request, other).error()).isEqualTo(FsError.PERMISSION_DENIED);
        }
        assertThat(create("/d/f", 1, column(0, datafile(1, 55))).isOk()).isTrue();
        assertThat(decide(new FenceHandles(), request, PeerIdentity.server(TestHello.io(1)))
                        .error())
                .isEqualTo(FsError.OK);
    }

    private Reply create(String path, int width, AttachedColumn... columns) {
        return decide(
                new CreateFile(0),
                CreateRequest.newBuilder()
                        .setLocation(Shell.at(path))
                        .setMode(0644)
                        .setWidth(width)
                        .addAllColumns(List.of(columns))
                        .build());
    }

    private static Attributes attributes(Reply reply) {
        assertThat(reply.isOk()).as(reply.header().getMessage()).isTrue();
        return ((CreateReply) reply.body()).getAttributes();
    }

    private FenceHandlesReply fence(Handle first, Handle last) {
        Reply reply = decide(new FenceHandles(), fenceRequest(first, last));
        assertThat(reply.isOk()).as(reply.header().getMessage()).isTrue();
        return (FenceHandlesReply) reply.body();
    }

    private static FenceHandlesRequest fenceRequest(Handle first, Handle last) {
        return FenceHandlesRequest.newBuilder()
                .addRanges(FenceHandlesRequest.Range.newBuilder()
                        .setFirst(first.value())
                        .setLast(last.value()))
                .build();
    }

    /** A file that lists one of the handles may be among the rows that are lost. */
    @Test
    void aShardThatIsNotSettledFencesNothing() {
        shell.state.replay(List.of(view -> Unsettled.mark(view, ShardTables.META, "salvaged")));
        Reply reply = decide(new FenceHandles(), fenceRequest(datafile(1, 50), datafile(1, 60)));
        assertThat(reply.error()).isEqualTo(FsError.BUSY);
        assertThat(reply.header().getMessage()).contains("salvaged", "not settled");
        shell.state.replay(List.of(view -> Unsettled.settle(view, ShardTables.META)));
        assertThat(fence(datafile(1, 50), datafile(1, 60)).getUsedList()).isEmpty();
    }

    @Test
    void aColumnIsWhereItsDatafileIs() {
        Attributes file = attributes(create("/d/f", 3, column(2, datafile(1, 50)), column(0, datafile(2, 60))));
        assertThat(file.getLayout().getServersList().get(0)).isEqualTo(2);
        assertThat(file.getLayout().getServersList().get(2)).isEqualTo(1);
        assertThat(file.getLayout().getDatafilesList())
                .containsExactly(datafile(2, 60).value(), 0L, datafile(1, 50).value());
        assertThat(ListedDatafiles.find(shell.state.view(), datafile(1, 50)))
                .contains(new ListedDatafile(datafile(1, 50), new Handle(file.getHandle()), 2));
    }

    @Test
    void aColumnWithoutADatafileHasAServerThoughAllHaveAnotherColumn() {
        Attributes file = attributes(
                create("/d/f", 4, column(1, datafile(1, 50)), column(2, datafile(2, 51)), column(3, datafile(3, 52))));
        assertThat(file.getLayout().getServersList()).hasSize(4).doesNotContainNull();
        assertThat(file.getLayout().getDatafiles(0)).isZero();
    }

    @Test
    void aFenceTellsWhatIsUsedAndEndsTheUse() {
        Attributes file = attributes(create("/d/f", 1, column(0, datafile(1, 50))));
        FenceHandlesReply fenced = fence(datafile(1, 48), datafile(1, 55));
        assertThat(fenced.getUsedList()).singleElement().satisfies(used -> {
            assertThat(used.getDatafile()).isEqualTo(datafile(1, 50).value());
            assertThat(used.getMetafile()).isEqualTo(file.getHandle());
            assertThat(used.getIndex()).isZero();
        });
        assertThat(fence(datafile(1, 48), datafile(1, 55))).as("asked again").isEqualTo(fenced);

        Reply late = create("/d/g", 1, column(0, datafile(1, 51)));
        assertThat(late.error()).isEqualTo(FsError.LEASE_REVOKED);
        assertThat(late.header().getMessage()).contains(datafile(1, 51).toString());
        assertThat(shell.errorOf("anna", "stat /d/g")).isEqualTo(FsError.NOT_FOUND);
        assertThat(create("/d/g", 1, column(0, datafile(1, 56))).error()).isEqualTo(FsError.OK);
        assertThat(create("/d/h", 1, column(0, datafile(2, 51))).error()).isEqualTo(FsError.OK);

        Attributes open = attributes(create("/d/open", 2));
        assertThat(attach(open, column(0, datafile(1, 52))).error()).isEqualTo(FsError.LEASE_REVOKED);
        assertThat(attach(open, column(0, datafile(1, 47))).error()).isEqualTo(FsError.OK);
        assertThat(metafile(column(0, datafile(1, 53))).error()).isEqualTo(FsError.LEASE_REVOKED);
    }

    private Reply attach(Attributes file, AttachedColumn... columns) {
        return decide(
                new AttachDatafiles(),
                AttachRequest.newBuilder()
                        .setMetafile(file.getHandle())
                        .setWriteGeneration(file.getWriteGeneration())
                        .addAllColumns(List.of(columns))
                        .build());
    }

    private Reply metafile(AttachedColumn... columns) {
        return decide(
                new CreateMetafile(),
                CreateMetafileRequest.newBuilder()
                        .setMode(0644)
                        .setWidth(columns.length)
                        .addAllColumns(List.of(columns))
                        .build());
    }

    @Test
    void aDatafileBelongsToOneFile() {
        attributes(create("/d/f", 1, column(0, datafile(1, 50))));
        assertThat(create("/d/g", 1, column(0, datafile(1, 50))).error()).isEqualTo(FsError.ALREADY_ATTACHED);
        assertThat(metafile(column(0, datafile(1, 50))).error()).isEqualTo(FsError.ALREADY_ATTACHED);
        assertThat(create("/d/g", 2, column(0, datafile(1, 60)), column(1, datafile(1, 60)))
                        .error())
                .isEqualTo(FsError.ALREADY_ATTACHED);
        Attributes open = attributes(create("/d/open", 2));
        assertThat(attach(open, column(1, datafile(1, 50))).error()).isEqualTo(FsError.ALREADY_ATTACHED);
        assertThat(attach(open, column(1, datafile(1, 70))).error()).isEqualTo(FsError.OK);
        assertThat(attach(open, column(1, datafile(1, 70))).error()).as("again").isEqualTo(FsError.OK);
    }

    @Test
    void whatIsRemovedIsInNoFile() {
        attributes(create("/d/f", 2, column(0, datafile(1, 50)), column(1, datafile(2, 51))));
        Handle unnamed = new Handle(((CreateMetafileReply)
                        metafile(column(0, datafile(1, 52))).body())
                .getAttributes()
                .getHandle());
        assertThat(ListedDatafiles.find(shell.state.view(), datafile(1, 52)).map(ListedDatafile::metafile))
                .contains(unnamed);
        shell.given("delete /d/f");
        assertThat(ListedDatafiles.find(shell.state.view(), datafile(1, 50))).isEmpty();
        assertThat(ListedDatafiles.find(shell.state.view(), datafile(2, 51))).isEmpty();
        assertThat(fence(datafile(1, 50), datafile(1, 52)).getUsedList())
                .singleElement()
                .matches(used -> used.getMetafile() == unnamed.value());
    }

    @ParameterizedTest
    @CsvSource({"1, 2", "0, 0x800000000000002a", "0, 0", "-1, 50"})
    void badColumnsAreRefused(int index, String handle) {
        Handle datafile = new Handle(
                handle.startsWith("0x") ? Long.parseUnsignedLong(handle.substring(2), 16) : Long.parseLong(handle));
        Reply reply = create("/d/f", 1, column(index, datafile));
        assertThat(reply.error()).isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(reply.header().getMessage()).contains(datafile.toString());
    }

    @Test
    void badRangesAreRefusedAndFenceNothing() {
        assertThat(decide(new FenceHandles(), fenceRequest(datafile(1, 9), datafile(1, 8)))
                        .error())
                .isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(decide(new FenceHandles(), fenceRequest(datafile(1, 9), datafile(2, 10)))
                        .error())
                .isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(decide(new FenceHandles(), fenceRequest(Handle.ROOT, Handle.ROOT))
                        .error())
                .isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(decide(new FenceHandles(), fenceRequest(datafile(1, 1), datafile(1, 1 + FenceHandles.MAX_HANDLES)))
                        .error())
                .isEqualTo(FsError.TOO_LARGE);
        FenceHandlesRequest.Builder many = FenceHandlesRequest.newBuilder();
        for (int i = 0; i <= FenceHandles.MAX_RANGES; i++) {
            many.addRanges(fenceRequest(datafile(1, 5), datafile(1, 5)).getRanges(0));
        }
        assertThat(decide(new FenceHandles(), many.build()).error()).isEqualTo(FsError.TOO_LARGE);
        assertThat(Fences.count(shell.state.view(), 9)).isZero();
    }
}
