package io.steadfs.mds.op.name;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.ShardService;
import io.steadfs.mds.log.LocalLog;
import io.steadfs.mds.op.Shell;
import io.steadfs.mds.op.server.RootDirectory;
import io.steadfs.mds.op.session.ExpireSession;
import io.steadfs.mds.op.write.AppendFile;
import io.steadfs.mds.op.write.AttachDatafiles;
import io.steadfs.mds.op.write.CloseFile;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.ShardCore;
import io.steadfs.mds.pipeline.ShardLimits;
import io.steadfs.mds.record.CountRecord;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.Claims;
import io.steadfs.mds.session.ClaimsCounted;
import io.steadfs.mds.session.FileCount;
import io.steadfs.mds.session.FileCountChange;
import io.steadfs.mds.session.FileLimits;
import io.steadfs.mds.session.FileLinked;
import io.steadfs.mds.session.FileOpened;
import io.steadfs.mds.session.FileReleased;
import io.steadfs.mds.session.FileUnlinked;
import io.steadfs.mds.session.FilesCounted;
import io.steadfs.mds.session.Session;
import io.steadfs.mds.session.SessionPut;
import io.steadfs.mds.session.SessionRemoved;
import io.steadfs.mds.session.Sessions;
import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.CountsCheck;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.Outcome;
import io.steadfs.mds.testing.StateCheck;
import io.steadfs.rpc.Reply;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import io.steadfs.store.memory.MemoryStore;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AppendRequest;
import io.steadfs.wire.proto.AttachRequest;
import io.steadfs.wire.proto.AttachedColumn;
import io.steadfs.wire.proto.CloseRequest;
import io.steadfs.wire.proto.CreateMetafileReply;
import io.steadfs.wire.proto.CreateMetafileRequest;
import io.steadfs.wire.proto.CreateReply;
import io.steadfs.wire.proto.CreateRequest;
import io.steadfs.wire.proto.DeleteRequest;
import io.steadfs.wire.proto.LinkRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How many files of a shard one session may hold, counted by the writer; several requests in one batch. */
class FileLimitsTest {
    private static final long OTHER = Shell.SESSION + 1;
    private static final FileLimits MOST = new FileLimits(3, 2);

    private static final byte COUNT = 0x06;

    private final List<LogRecord> committed = new ArrayList<>();
    private final MemoryStore store = new MemoryStore(ShardTables.ALL);
    private final LocalLog log = new LocalLog(store);
    private final ShardCore core = new ShardCore(
            log,
            committed -> FixedInputs.now(),
            new ShardLimits(100, 1 << 20, 100, 1 << 20),
            ShardService.TOTALS,
            committed::addAll);

    private final Operation<CreateRequest> create = new WithinFileLimits<>(Kind.CREATE, MOST, new CreateFile(0));
    private final Operation<CreateMetafileRequest> createMetafile =
            new WithinFileLimits<>(Kind.CREATE_METAFILE, MOST, new CreateMetafile());
    private final Operation<AppendRequest> append = new WithinFileLimits<>(Kind.APPEND, MOST, new AppendFile());

    @BeforeEach
    void begin() {
        Outcome<Boolean> root =
                new Outcome<>((view, inputs) -> RootDirectory.decide("root", "supergroup", view, inputs));
        core.submit(root);
        core.step();
        replay(
                new SessionPut(new Session(Shell.SESSION, "test", "root", 1, 1, false)),
                new SessionPut(new Session(OTHER, "test", "root", 1, 1, false)));
    }

    private void replay(LogRecord... records) {
        try (Overlay overlay = store.overlay()) {
            List.of(records).forEach(each -> each.replay(overlay));
            store.commit(overlay, true);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    private <Q extends MessageLite> Outcome<Reply> submit(Operation<Q> operation, Q request) {
        Outcome<Reply> outcome =
                new Outcome<>((view, inputs) -> operation.decide(request, Shell.principal("root"), view, inputs));
        core.submit(outcome);
        return outcome;
    }

    private <Q extends MessageLite> Reply now(Operation<Q> operation, Q request) {
        Outcome<Reply> outcome = submit(operation, request);
        core.step();
        return outcome.answer().orElseThrow();
    }

    private static CreateRequest file(String path) {
        return CreateRequest.newBuilder()
                .setLocation(Shell.at(path))
                .setMode(0644)
                .build();
    }

    private Handle made(String path) {
        Reply reply = now(create, file(path));
        assertThat(reply.error()).as(reply.header().getMessage()).isEqualTo(FsError.OK);
        return new Handle(((CreateReply) reply.body()).getAttributes().getHandle());
    }

    /** A file that the session has open, durably: something was written to it. */
    private Handle written(String path) {
        Handle file = made(path);
        AttachRequest attach = AttachRequest.newBuilder()
                .setMetafile(file.value())
                .setWriteGeneration(1)
                .addColumns(AttachedColumn.newBuilder()
                        .setIndex(0)
                        .setDatafile(Handle.of(1, 0, file.sequence()).value()))
                .build();
        assertThat(now(new AttachDatafiles(), attach).error()).isEqualTo(FsError.OK);
        return file;
    }

    private Handle unnamed() {
        Reply reply = now(createMetafile, CreateMetafileRequest.getDefaultInstance());
        assertThat(reply.error()).as(reply.header().getMessage()).isEqualTo(FsError.OK);
        return new Handle(((CreateMetafileReply) reply.body()).getAttributes().getHandle());
    }

    private FileCount count() {
        StateCheck.of(store.committed());
        CountsCheck.ofLife(log.committed());
        FileCount durable = FileCount.of(log.committed(), Shell.SESSION);
        return new FileCount(durable.written() + Claims.count(log.committed(), Shell.SESSION), durable.unnamed());
    }

    private Reply close(Handle file) {
        return now(new CloseFile(), closing(file));
    }

    private static CloseRequest closing(Handle file) {
        return CloseRequest.newBuilder()
                .setMetafile(file.value())
                .setWriteGeneration(1)
                .build();
    }

    @Test
    void oneBatchOpensAsManyAsGoAndNoMore() {
        List<Outcome<Reply>> created = List.of(
                submit(create, file("/a")),
                submit(create, file("/b")),
                submit(create, file("/c")),
                submit(create, file("/d")));

        core.step();

        assertThat(created)
                .extracting(outcome -> outcome.answer().orElseThrow().error())
                .containsExactly(FsError.OK, FsError.OK, FsError.OK, FsError.TOO_LARGE);
        assertThat(created.get(3).answer().orElseThrow().header().getMessage())
                .contains("has 3 files", "at most 3", "stead.session.files.open");
        assertThat(count()).isEqualTo(new FileCount(3, 0));
        assertThat(StateCheck.of(store.committed()).paths()).containsExactly("/a", "/b", "/c");
    }

    @Test
    void aClosedFileMakesRoomAndAnAppendTakesIt() {
        Handle a = made("/a");
        made("/b");
        made("/c");
        AppendRequest toA =
                AppendRequest.newBuilder().setLocation(Shell.at("/a")).build();

        assertThat(close(a).error()).isEqualTo(FsError.OK);
        assertThat(count()).isEqualTo(new FileCount(2, 0));
        assertThat(now(append, toA).error()).isEqualTo(FsError.OK);
        assertThat(count()).isEqualTo(new FileCount(3, 0));
        assertThat(now(create, file("/d")).error()).isEqualTo(FsError.TOO_LARGE);
        assertThat(now(
                                new DeletePath(),
                                DeleteRequest.newBuilder()
                                        .setLocation(Shell.at("/b"))
                                        .build())
                        .error())
                .isEqualTo(FsError.OK);
        made("/d");
        assertThat(close(new Handle(a.value())).error()).as("appended to since").isEqualTo(FsError.STALE_GENERATION);
        assertThat(count()).isEqualTo(new FileCount(3, 0));
        assertThat(now(create, file("/e")).error()).isEqualTo(FsError.TOO_LARGE);
    }

    @Test
    void anAppendIsRefusedAsACreateIs() {
        Handle a = made("/a");
        close(a);
        made("/b");
        made("/c");
        made("/d");
        AppendRequest toA =
                AppendRequest.newBuilder().setLocation(Shell.at("/a")).build();
        assertThat(now(append, toA).error()).isEqualTo(FsError.TOO_LARGE);
    }

    @Test
    void oneOpenFileInThePlaceOfAnotherIsNoMore() {
        made("/a");
        made("/b");
        made("/c");
        assertThat(now(create, file("/c").toBuilder().setOverwrite(true).build())
                        .error())
                .isEqualTo(FsError.OK);
        assertThat(count()).isEqualTo(new FileCount(3, 0));
        assertThat(now(create, file("/c")).error()).as("its own refusal").isEqualTo(FsError.ALREADY_EXISTS);
    }

    @Test
    void aLoweredLimitHoldsBackOnlyWhatIsNew() {
        made("/a");
        made("/b");
        made("/c");
        Operation<CreateRequest> lower = new WithinFileLimits<>(Kind.CREATE, new FileLimits(1, 1), new CreateFile(0));
        assertThat(now(lower, file("/c").toBuilder().setOverwrite(true).build()).error())
                .isEqualTo(FsError.OK);
        assertThat(now(lower, file("/d")).error()).isEqualTo(FsError.TOO_LARGE);
    }

    @Test
    void filesWithoutANameAreCountedUntilTheyHaveOne() {
        Handle first = unnamed();
        unnamed();
        Reply third = now(createMetafile, CreateMetafileRequest.getDefaultInstance());
        assertThat(third.error()).isEqualTo(FsError.BUSY);
        assertThat(third.header().getMessage()).contains("made 2 files", "at most 2", "stead.session.files.unnamed");
        assertThat(count()).isEqualTo(new FileCount(2, 2));

        LinkRequest link = LinkRequest.newBuilder()
                .setLocation(Shell.at("/first"))
                .setMetafile(first.value())
                .build();
        assertThat(now(new LinkFile(0), link).error()).isEqualTo(FsError.OK);
        assertThat(count()).isEqualTo(new FileCount(2, 1));
        unnamed();
        assertThat(count()).isEqualTo(new FileCount(3, 2));
    }

    @Test
    void oneSessionTakesNothingFromAnother() {
        written("/a");
        written("/b");
        written("/c");
        replay(new FileOpened(OTHER, Handle.of(Handle.shardOwner(0), 0, 900)));
        assertThat(FileCount.of(store.committed(), OTHER)).isEqualTo(new FileCount(1, 0));
        assertThat(FileCount.of(store.committed(), Shell.SESSION)).isEqualTo(new FileCount(3, 0));
    }

    @Test
    void whatWasOpenedBeforeThereWasACountIsCounted() {
        Handle old = Handle.of(Handle.shardOwner(0), 0, 900);
        Handle next = Handle.of(Handle.shardOwner(0), 0, 901);
        replay(new FileOpened(OTHER, old), new FileUnlinked(OTHER, old));

        assertThat(changes(new FileReleased(OTHER, old)))
                .containsExactly(
                        new FileCountChange(OTHER, new FileCount(1, 1), new FileCount(0, 1), Optional.empty()));
        assertThat(changes(new FileReleased(OTHER, old), new FileOpened(OTHER, next)))
                .as("comes to nothing")
                .isEmpty();
        assertThat(changes(
                        new FileReleased(OTHER, old),
                        new FileLinked(OTHER, old),
                        new FilesCounted(OTHER, new FileCount(0, 0), Optional.empty())))
                .as("counted already")
                .isEmpty();
        assertThat(changes(new FileReleased(OTHER, old), new SessionRemoved(OTHER)))
                .as("goes with the session")
                .isEmpty();
    }

    private List<FileCountChange> changes(LogRecord... records) {
        return FileCountChange.of(List.of(records), store.committed());
    }

    /** As another decision of the batch would, that a limit is looked at in and that a count is written by. */
    @Test
    void aDecisionReadsTheCountOnceAndNoCountedRow() {
        Handle a = written("/a");
        made("/b");
        SessionGets view = new SessionGets(log.committed());

        Decision<Reply> created = create.decide(
                file("/b").toBuilder().setOverwrite(true).build(), Shell.principal("root"), view, FixedInputs.now());
        assertThat(ShardService.TOTALS.of(created.records(), view)).isEmpty();
        assertThat(view.gets).as("one file in the place of another").isEmpty();

        created = create.decide(file("/c"), Shell.principal("root"), view, FixedInputs.now());
        assertThat(ShardService.TOTALS.of(created.records(), view)).isEmpty();
        assertThat(created.records()).contains(new ClaimsCounted(Shell.SESSION, 2));
        assertThat(view.gets).containsExactly(COUNT);

        view.gets.clear();
        Decision<Reply> closed = new CloseFile().decide(closing(a), Shell.principal("root"), view, FixedInputs.now());
        assertThat(ShardService.TOTALS.of(closed.records(), view))
                .containsExactly(new FilesCounted(Shell.SESSION, new FileCount(0, 0), Optional.empty()));
        assertThat(view.gets).containsExactly(COUNT);
    }

    /** Notes which kinds of rows of table "session" are looked for. */
    private record SessionGets(ReadView below, List<Byte> gets) implements ReadView {
        SessionGets(ReadView below) {
            this(below, new ArrayList<>());
        }

        @Override
        public Optional<byte[]> get(Table table, byte[] key) {
            if (table.equals(ShardTables.SESSION)) {
                gets.add(key[0]);
            }
            return below.get(table, key);
        }

        @Override
        public Cursor scan(Table table, byte[] from, byte[] to) {
            assertThat(table).isNotEqualTo(ShardTables.SESSION);
            return below.scan(table, from, to);
        }
    }

    /** As a release that knows of no counts leaves it: files were opened, the count stayed. */
    @Test
    void aCountThatIsTooLowIsCountedAnew() {
        Handle a = written("/a");
        Handle b = written("/b");
        unnamed();
        replay(new FilesCounted(Shell.SESSION, new FileCount(0, 0), Optional.empty()));

        assertThat(close(a).error()).isEqualTo(FsError.OK);

        assertThat(count()).isEqualTo(new FileCount(2, 1));
        assertThat(wrong())
                .singleElement()
                .asString()
                .contains(
                        Session.name(Shell.SESSION),
                        "says 0 written, 0 without a name, which cannot change by -1 and 0",
                        "it was 3 written, 1 without a name, and is now 2 written, 1 without a name");
        assertThat(close(b).error()).isEqualTo(FsError.OK);
        assertThat(count()).isEqualTo(new FileCount(1, 1));
        assertThat(wrong()).as("once").hasSize(1);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "000000", "ffffffffffffffff0000000000000000", "0000000000000000ffffffffffffffff"})
    void aCountThatIsNoneIsCountedAnew(String value) {
        Handle a = written("/a");
        written("/b");
        replay(view -> view.put(
                ShardTables.SESSION,
                Keys.of(COUNT, Shell.SESSION),
                HexFormat.of().parseHex(value)));
        assertThat(count()).as("what a scan says").isEqualTo(new FileCount(2, 0));
        assertThat(FileCount.sum(store.committed(), 10)).isEqualTo(new FileCount(0, 0));

        assertThat(close(a).error()).isEqualTo(FsError.OK);

        assertThat(count()).isEqualTo(new FileCount(1, 0));
        assertThat(FileCount.sum(store.committed(), 10)).isEqualTo(new FileCount(1, 0));
        assertThat(wrong()).singleElement().asString().contains("is 0x" + value + "; counted one by one");
        written("/c");
        assertThat(wrong()).as("once").hasSize(1);
    }

    @Test
    void theLimitHoldsWhereTheCountIsNone() {
        written("/a");
        written("/b");
        written("/c");
        replay(view -> view.put(ShardTables.SESSION, Keys.of(COUNT, Shell.SESSION), new byte[100]));
        assertThat(now(create, file("/d")).error()).isEqualTo(FsError.TOO_LARGE);
        assertThat(now(create, file("/c").toBuilder().setOverwrite(true).build())
                        .error())
                .isEqualTo(FsError.OK);
        close(StateCheck.of(store.committed()).handle("/a"));
        assertThat(wrong()).singleElement().asString().contains("is 100 bytes long");
        written("/d");
        assertThat(count()).isEqualTo(new FileCount(3, 0));
    }

    /** Nothing in the records says so, but a count must never break a CLOSE. */
    @Test
    void anIndexThatMissesAFileIsCountedAsItIs() {
        Handle a = written("/a");
        replay(
                new FileReleased(Shell.SESSION, a),
                new FilesCounted(Shell.SESSION, new FileCount(0, 0), Optional.empty()));
        assertThat(close(a).error()).isEqualTo(FsError.OK);
        assertThat(count()).isEqualTo(new FileCount(0, 0));
    }

    @Test
    void theSumIsOfSoManySessions() {
        replay(
                new FilesCounted(Shell.SESSION, new FileCount(3, 1), Optional.empty()),
                new FilesCounted(OTHER, new FileCount(20_000, 5), Optional.empty()));
        assertThat(FileCount.sum(store.committed(), 2)).isEqualTo(new FileCount(20_003, 6));
        assertThat(FileCount.sum(store.committed(), 1)).isEqualTo(new FileCount(3, 1));
    }

    /** What no session has, but a damaged store may say, must not take the status away. */
    @Test
    void theSumStaysANumber() {
        replay(
                new FilesCounted(Shell.SESSION, new FileCount(Long.MAX_VALUE, 1), Optional.empty()),
                new FilesCounted(OTHER, new FileCount(Long.MAX_VALUE, Long.MAX_VALUE), Optional.empty()));
        assertThat(FileCount.sum(store.committed(), 2)).isEqualTo(new FileCount(Long.MAX_VALUE, Long.MAX_VALUE));
    }

    private List<String> wrong() {
        return committed.stream()
                .filter(CountRecord.class::isInstance)
                .flatMap(each -> ((CountRecord) each).wrong().stream())
                .toList();
    }

    @Test
    void theCountGoesWithTheSession() {
        close(written("/a"));
        assertThat(rows()).isEqualTo(3);
        replay(new SessionRemoved(Shell.SESSION));
        assertThat(rows()).as("the other session's row").isEqualTo(1);
    }

    @Test
    void theCountOfOpenFilesGoesWithTheSessionThatEnds() {
        written("/a");
        ExpireSession expire = new ExpireSession(Shell.SESSION, true, () -> false);
        core.submit(new Outcome<>(expire::decide));
        core.step();
        assertThat(Sessions.find(store.committed(), Shell.SESSION)).isEmpty();
        assertThat(FileCount.sessions(store.committed())).isEmpty();
        StateCheck.of(store.committed());
    }

    private int rows() {
        int rows = 0;
        try (var cursor = store.committed().scan(ShardTables.SESSION, new byte[0], new byte[] {(byte) 0xff})) {
            while (cursor.next()) {
                rows++;
            }
        }
        return rows;
    }
}
