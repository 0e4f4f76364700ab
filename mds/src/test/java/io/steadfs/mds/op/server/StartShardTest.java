package io.steadfs.mds.op.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.intent.PreparedSlots;
import io.steadfs.mds.intent.SlotCount;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.intent.SlotPrepared;
import io.steadfs.mds.intent.SlotsCounted;
import io.steadfs.mds.intent.proto.PreparedRow;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.intent.PrepareSlot;
import io.steadfs.mds.op.name.CreateFile;
import io.steadfs.mds.op.name.CreateMetafile;
import io.steadfs.mds.op.name.WithinFileLimits;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.record.CountRecord;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.FileCount;
import io.steadfs.mds.session.FileLimits;
import io.steadfs.mds.session.FileOpened;
import io.steadfs.mds.session.FileUnlinked;
import io.steadfs.mds.session.FilesCounted;
import io.steadfs.mds.session.LifeBegun;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.SessionRemoved;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.CountsCheck;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CreateMetafileRequest;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.MakeDirectory;
import io.steadfs.wire.proto.PrepareAction;
import io.steadfs.wire.proto.PrepareRequest;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that count others after a salvage lost some rows, and kept others as they were before. */
class StartShardTest {
    private static final int COORDINATOR = 1;
    private static final FileLimits MOST = new FileLimits(3, 2);
    private static final long OTHER = -7;
    private static final byte FILES = 0x06;
    private static final byte SLOTS = 0x08;

    private final Shell shell = new Shell();
    private final Operation<CreateRequest> create = new WithinFileLimits<>(Kind.CREATE, MOST, new CreateFile(0));
    private final Operation<CreateMetafileRequest> createMetafile =
            new WithinFileLimits<>(Kind.CREATE_METAFILE, MOST, new CreateMetafile());

    @BeforeEach
    void twoShardsThatStarted() {
        shell.cluster = FixedInputs.CLUSTER.toBuilder().setShardCount(2).build();
        start();
    }

    private List<LogRecord> start() {
        Decision<Boolean> decision = new StartShard("root", "supergroup").decide(shell.state.view(), shell.inputs());
        shell.state.apply(decision);
        CountsCheck.ofLife(shell.state.view());
        assertThat(decision.records()).hasAtLeastOneElementOfType(LifeBegun.class);
        return decision.records().stream()
                .filter(each -> !(each instanceof LifeBegun))
                .toList();
    }

    private static List<String> wrong(List<LogRecord> records) {
        return records.stream()
                .flatMap(each -> ((CountRecord) each).wrong().stream())
                .toList();
    }

    private FsError create(String path) {
        CreateRequest request = CreateRequest.newBuilder()
                .setLocation(Shell.at(path))
                .setMode(0644)
                .build();
        return shell.decide(create, request, Shell.principal("root")).error();
    }

    private FsError createMetafile() {
        return shell.decide(createMetafile, CreateMetafileRequest.getDefaultInstance(), Shell.principal("root"))
                .error();
    }

    private FsError prepare(long intent) {
        MakeDirectory directory = MakeDirectory.newBuilder()
                .setMode(0755)
                .setOwner("anna")
                .setParent(Handle.of(Handle.shardOwner(COORDINATOR), 0, 5).value())
                .build();
        PrepareRequest request = PrepareRequest.newBuilder()
                .setCoordinator(COORDINATOR)
                .setIntent(intent)
                .setLowestOpen(1)
                .setAction(PrepareAction.newBuilder().setMakeDirectory(directory))
                .build();
        Reply reply = shell.decide(new PrepareSlot(), request, Shell.principal("root"));
        return reply.error();
    }

    private static Handle file(int sequence) {
        return Handle.of(Handle.shardOwner(0), 0, sequence);
    }

    private FileCount files(long session) {
        return FileCount.of(shell.state.view(), session);
    }

    @Test
    void aSessionWhoseCountsAreTooHighMayMakeFilesAgain() {
        assertThat(create("/a")).isEqualTo(FsError.OK);
        shell.state.replay(List.of(new FilesCounted(Shell.SESSION, new FileCount(3, 2), Optional.empty())));
        assertThat(create("/b")).isEqualTo(FsError.TOO_LARGE);

        assertThat(wrong(start()))
                .singleElement()
                .asString()
                .contains(
                        "files of session " + Session.name(Shell.SESSION) + " says 3 written, 2 without a name",
                        "one by one it is 0 written, 0 without a name");

        assertThat(files(Shell.SESSION)).as("/a is only claimed").isEqualTo(new FileCount(0, 0));
        assertThat(create("/b")).isEqualTo(FsError.OK);
        assertThat(createMetafile()).isEqualTo(FsError.OK);
        assertThat(start()).as("all is right").isEmpty();
    }

    @Test
    void aCoordinatorWhoseCountIsTooHighIsServedAgain() {
        assertThat(prepare(1)).isEqualTo(FsError.OK);
        shell.state.replay(List.of(new SlotsCounted(COORDINATOR, PreparedSlots.MOST_OF_COORDINATOR, Optional.empty())));
        assertThat(prepare(2)).isEqualTo(FsError.BUSY);

        assertThat(wrong(start()))
                .containsExactly("the count of slots held for shard 1 says 10000 when the shard starts;"
                        + " counted one by one it is 1");

        assertThat(prepare(2)).isEqualTo(FsError.OK);
        assertThat(SlotCount.of(shell.state.view(), COORDINATOR).slots()).isEqualTo(2);
        assertThat(start()).as("all is right").isEmpty();
    }

    /** Where all that was counted is gone, too. */
    @Test
    void countsOfNothingAreNone() {
        shell.state.replay(List.of(
                new FilesCounted(Shell.SESSION, new FileCount(Long.MAX_VALUE, 1), Optional.empty()),
                new SlotsCounted(COORDINATOR, Long.MAX_VALUE, Optional.empty())));
        assertThat(wrong(start())).hasSize(2);
        assertThat(files(Shell.SESSION)).isEqualTo(new FileCount(0, 0));
        assertThat(SlotCount.of(shell.state.view(), COORDINATOR).slots()).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "0000000000000000", "ffffffffffffffff", "00000000000000000000000000000000"})
    void countsThatAreTooLowOrNoneAreMendedToo(String value) {
        assertThat(create("/a")).isEqualTo(FsError.OK);
        assertThat(createMetafile()).isEqualTo(FsError.OK);
        assertThat(prepare(1)).isEqualTo(FsError.OK);
        byte[] row = HexFormat.of().parseHex(value);
        shell.state.replay(List.of(
                view -> view.put(ShardTables.SESSION, Keys.of(FILES, Shell.SESSION), row),
                view -> view.put(ShardTables.INTENT, Keys.of(SLOTS, COORDINATOR), row)));

        assertThat(wrong(start())).hasSize(2);

        assertThat(FileCount.sum(shell.state.view(), 10))
                .as("/a is only claimed")
                .isEqualTo(new FileCount(1, 1));
        assertThat(SlotCount.of(shell.state.view(), COORDINATOR))
                .isEqualTo(new SlotCount(COORDINATOR, 1, Optional.empty()));
    }

    /** The gauges add up rows alone. */
    @Test
    void aStoreThatLostItsCountsGetsThemAgain() {
        PreparedRow held = PreparedRow.getDefaultInstance();
        shell.state.replay(List.of(
                new SessionPut(new Session(OTHER, "test", "root", 1, 1, false)),
                new FileOpened(OTHER, file(901)),
                new FileOpened(OTHER, file(902)),
                new FileUnlinked(OTHER, file(902)),
                new FileUnlinked(Shell.SESSION, file(903)),
                new SlotPrepared(new SlotId(COORDINATOR, 5, 0), held),
                new SlotPrepared(new SlotId(COORDINATOR, 5, 1), held)));
        assertThat(FileCount.sum(shell.state.view(), 10)).isEqualTo(new FileCount(0, 0));

        assertThat(start())
                .containsExactlyInAnyOrder(
                        new FilesCounted(Shell.SESSION, new FileCount(0, 1), Optional.empty()),
                        new FilesCounted(OTHER, new FileCount(2, 1), Optional.empty()),
                        new SlotsCounted(COORDINATOR, 2, Optional.empty()));

        assertThat(FileCount.sum(shell.state.view(), 10)).isEqualTo(new FileCount(2, 2));
        assertThat(start()).as("all is right").isEmpty();
    }

    /** A salvage lost the sessions, and kept their counts or files. */
    @Test
    void sessionsThatAreGoneHaveNoCount() {
        shell.state.replay(List.of(
                new FilesCounted(OTHER, new FileCount(4, 1), Optional.empty()),
                new FileUnlinked(OTHER, file(901)),
                new FileUnlinked(OTHER - 1, file(902))));
        assertThat(start()).containsExactly(new SessionRemoved(OTHER));
        assertThat(FileCount.sessions(shell.state.view())).isEmpty();
    }
}
