package io.steadfs.mds.op.write;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.params.provider.Arguments.arguments;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.SealedDatafiles;
import io.steadfs.mds.metafile.proto.LayoutRow;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.FileNode;
import io.steadfs.mds.op.layout.ConfirmDatafiles;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.session.FileOpened;
import io.steadfs.mds.session.OpenFiles;
import io.steadfs.mds.session.RecoveringFiles;
import io.steadfs.mds.session.RecoveryQueued;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.mds.testing.FixedInputs;
import io.steadfs.mds.testing.State;
import io.steadfs.rpc.Reply;
import io.steadfs.store.Unsettled;
import io.steadfs.wire.proto.AttachReply;
import io.steadfs.wire.proto.AttachRequest;
import io.steadfs.wire.proto.AttachedColumn;
import io.steadfs.wire.proto.CloseRequest;
import io.steadfs.wire.proto.ConfirmDatafilesReply;
import io.steadfs.wire.proto.ConfirmDatafilesReply.Verdict;
import io.steadfs.wire.proto.ConfirmDatafilesRequest;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Attach, close, confirmation and recovery of one file with two columns, the first of which has datafile D1. */
class WrittenFileTest {
    private static final Handle FILE = Handle.of(0x8000, 0, 5);
    private static final Handle OTHER_SHARD = Handle.of(0x8001, 0, 5);
    private static final Handle GONE = Handle.of(0x8000, 0, 6);
    private static final Handle D1 = Handle.of(1, 0, 1);
    private static final Handle D2 = Handle.of(2, 0, 1);
    private static final Handle D3 = Handle.of(2, 0, 2);
    private static final long STRIP = 1 << 20;
    private static final long WRITER = 77;
    private static final long OTHER = 78;
    private static final long GENERATION = 3;

    private static final MetafileRow ROW = MetafileRow.newBuilder()
            .setMode(0644)
            .setOwner("anna")
            .setLength(10)
            .setVersion(4)
            .setWriterSession(WRITER)
            .setWriteGeneration(GENERATION)
            .setLayout(LayoutRow.newBuilder()
                    .setStripSize((int) STRIP)
                    .setWidth(2)
                    .setReplicas(1)
                    .addServers(1)
                    .addServers(2)
                    .addDatafiles(D1.value())
                    .addDatafiles(0)
                    .setVersion(1))
            .build();
    private static final MetafileRow CLOSED =
            ROW.toBuilder().setWriterSession(0).build();
    private static final MetafileRow RECOVERING = ROW.toBuilder()
            .setWriterSession(0)
            .setWriteGeneration(GENERATION + 1)
            .setRecovering(true)
            .build();

    private static State state(MetafileRow row) {
        State state = State.of(new MetafileSet(FILE, row));
        if (row.getWriterSession() != 0) {
            state.replay(List.of(new FileOpened(row.getWriterSession(), FILE)));
        }
        if (row.getRecovering()) {
            state.replay(List.of(new RecoveryQueued(FILE)));
        }
        return state;
    }

    private static Principal principal(long session) {
        return new Principal("anna", Set.of(), false, session);
    }

    private static AttachedColumn column(int index, Handle datafile) {
        return AttachedColumn.newBuilder()
                .setIndex(index)
                .setDatafile(datafile.value())
                .build();
    }

    static Stream<Arguments> attaches() {
        return Stream.of(
                arguments("a free column", ROW, FILE, WRITER, GENERATION, 1, D2, FsError.OK),
                arguments("the same again", ROW, FILE, WRITER, GENERATION, 0, D1, FsError.OK),
                arguments("a taken column", ROW, FILE, WRITER, GENERATION, 0, D2, FsError.ALREADY_ATTACHED),
                arguments("no such column", ROW, FILE, WRITER, GENERATION, 2, D2, FsError.INVALID_ARGUMENT),
                arguments("a column below 0", ROW, FILE, WRITER, GENERATION, -1, D2, FsError.INVALID_ARGUMENT),
                arguments("no datafile", ROW, FILE, WRITER, GENERATION, 1, Handle.NONE, FsError.INVALID_ARGUMENT),
                arguments(
                        "a datafile of IO server 0, which is none",
                        ROW,
                        FILE,
                        WRITER,
                        GENERATION,
                        1,
                        Handle.of(0, 0, 1),
                        FsError.INVALID_ARGUMENT),
                arguments(
                        "a metafile for a datafile", ROW, FILE, WRITER, GENERATION, 1, FILE, FsError.INVALID_ARGUMENT),
                arguments("an older generation", ROW, FILE, WRITER, GENERATION - 1, 1, D2, FsError.STALE_GENERATION),
                arguments("a newer generation", ROW, FILE, WRITER, GENERATION + 1, 1, D2, FsError.STALE_GENERATION),
                arguments("another session", ROW, FILE, OTHER, GENERATION, 1, D2, FsError.NOT_WRITER),
                arguments("a closed file", CLOSED, FILE, WRITER, GENERATION, 1, D2, FsError.NOT_WRITER),
                arguments("a file in recovery", RECOVERING, FILE, WRITER, GENERATION, 1, D2, FsError.STALE_GENERATION),
                arguments("a removed file", ROW, GONE, WRITER, GENERATION, 1, D2, FsError.NOT_FOUND),
                arguments("another shard's file", ROW, OTHER_SHARD, WRITER, GENERATION, 1, D2, FsError.NOT_OWNER),
                arguments("a datafile for a metafile", ROW, D1, WRITER, GENERATION, 1, D2, FsError.INVALID_ARGUMENT));
    }

    @ParameterizedTest(name = "{0}: {7}")
    @MethodSource("attaches")
    void attachIsCompareAndSet(
            String what,
            MetafileRow before,
            Handle file,
            long session,
            long generation,
            int index,
            Handle datafile,
            FsError expected) {
        State state = state(before);
        AttachRequest request = AttachRequest.newBuilder()
                .setMetafile(file.value())
                .setWriteGeneration(generation)
                .addColumns(column(index, datafile))
                .build();
        Reply reply =
                state.apply(new AttachDatafiles().decide(request, principal(session), state.view(), FixedInputs.now()));
        assertThat(reply.error()).isEqualTo(expected);
        MetafileRow after = Metafiles.find(state.view(), FILE).orElseThrow();
        if (expected == FsError.OK) {
            assertThat(after.getLayout().getDatafiles(index)).isEqualTo(datafile.value());
            assertThat(((AttachReply) reply.body()).getLayout().getDatafilesList())
                    .isEqualTo(after.getLayout().getDatafilesList());
            assertThat(after.getWriterSession()).isEqualTo(WRITER);
        } else {
            assertThat(after).isEqualTo(before);
        }
    }

    /** The same column named again does no harm; more than there are columns is too many. */
    @ParameterizedTest(name = "{0} columns of 2: {1}")
    @CsvSource({"1, OK", "2, OK", "3, TOO_LARGE"})
    void attachAndCloseNameNoMoreColumnsThanThereAre(int columns, FsError expected) {
        List<AttachedColumn> named = Collections.nCopies(columns, column(1, D2));
        State attached = state(ROW);
        AttachRequest attach = AttachRequest.newBuilder()
                .setMetafile(FILE.value())
                .setWriteGeneration(GENERATION)
                .addAllColumns(named)
                .build();
        assertThat(attached.apply(new AttachDatafiles()
                                .decide(attach, principal(WRITER), attached.view(), FixedInputs.now()))
                        .error())
                .isEqualTo(expected);
        State closed = state(ROW);
        CloseRequest close = CloseRequest.newBuilder()
                .setMetafile(FILE.value())
                .setWriteGeneration(GENERATION)
                .setLength(ROW.getLength())
                .addAllColumns(named)
                .build();
        assertThat(closed.apply(new CloseFile().decide(close, principal(WRITER), closed.view(), FixedInputs.now()))
                        .error())
                .isEqualTo(expected);
    }

    static Stream<Arguments> closes() {
        return Stream.of(
                arguments("its recorded length", 10L, Handle.NONE, FsError.OK),
                arguments("below its recorded length", 9L, Handle.NONE, FsError.INVALID_ARGUMENT),
                arguments("a full first column", STRIP, Handle.NONE, FsError.OK),
                arguments("a byte in a column without datafile", STRIP + 1, Handle.NONE, FsError.INVALID_ARGUMENT),
                arguments("a byte in a column attached now", STRIP + 1, D2, FsError.OK),
                arguments("two full columns", 1L << 49, D2, FsError.OK),
                arguments("a byte beyond two full columns", (1L << 49) + 1, D2, FsError.INVALID_ARGUMENT),
                arguments("all that a number can be", Long.MAX_VALUE, D2, FsError.INVALID_ARGUMENT),
                arguments("more than that", -1L, D2, FsError.INVALID_ARGUMENT));
    }

    @ParameterizedTest(name = "{0}: {3}")
    @MethodSource("closes")
    void closeRecordsALengthThatTheColumnsCanHold(String what, long length, Handle second, FsError expected) {
        State state = state(ROW);
        CloseRequest.Builder request = CloseRequest.newBuilder()
                .setMetafile(FILE.value())
                .setWriteGeneration(GENERATION)
                .setLength(length);
        if (!second.isNone()) {
            request.addColumns(column(1, second));
        }
        Reply reply = state.apply(
                new CloseFile().decide(request.build(), principal(WRITER), state.view(), FixedInputs.now()));
        assertThat(reply.error()).isEqualTo(expected);
        MetafileRow after = Metafiles.find(state.view(), FILE).orElseThrow();
        if (expected == FsError.OK) {
            assertThat(after.getLength()).isEqualTo(length);
            assertThat(after.getModificationTime()).isEqualTo(FixedInputs.WALL_MILLIS);
            assertThat(Metafiles.isOpen(after)).isFalse();
            assertThat(OpenFiles.of(state.view(), WRITER, 1)).isEmpty();
        } else {
            assertThat(reply.header().getMessage()).contains(Long.toUnsignedString(length), FILE.toString());
            assertThat(after).isEqualTo(ROW);
            assertThat(OpenFiles.of(state.view(), WRITER, 1)).containsExactly(FILE);
        }
    }

    @Test
    void hsyncRecordsItsLengthAndNeverAShorterOne() {
        State state = state(ROW);
        for (long synced : new long[] {0, 500, 20}) {
            Reply reply = state.apply(new AttachDatafiles()
                    .decide(
                            AttachRequest.newBuilder()
                                    .setMetafile(FILE.value())
                                    .setWriteGeneration(GENERATION)
                                    .setSyncedLength(synced)
                                    .build(),
                            principal(WRITER),
                            state.view(),
                            FixedInputs.now()));
            assertThat(reply.error()).isEqualTo(FsError.OK);
        }
        assertThat(Metafiles.find(state.view(), FILE).orElseThrow().getLength()).isEqualTo(500);
    }

    static Stream<Arguments> toldLengths() {
        return Stream.of(
                // what, generation, synced, flushed: then recorded, told
                arguments("an hflush", GENERATION, 0L, 500L, FsError.OK, 10L, 500L),
                arguments("an hsync", GENERATION, 500L, 0L, FsError.OK, 500L, 500L),
                arguments("an hsync behind a longer hflush", GENERATION, 500L, 700L, FsError.OK, 500L, 700L),
                arguments("a shorter hflush", GENERATION, 500L, 20L, FsError.OK, 500L, 500L),
                arguments("an hflush below what is recorded", GENERATION, 0L, 9L, FsError.OK, 10L, 10L),
                arguments("a late one", GENERATION - 1, 0L, 500L, FsError.STALE_GENERATION, 10L, 10L),
                arguments("one of a later writer", GENERATION + 1, 0L, 500L, FsError.STALE_GENERATION, 10L, 10L),
                arguments("of a missing column", GENERATION, 0L, STRIP + 1, FsError.INVALID_ARGUMENT, 10L, 10L),
                arguments("of far too much", GENERATION, 0L, Long.MAX_VALUE, FsError.INVALID_ARGUMENT, 10L, 10L),
                arguments("of more than that", GENERATION, 0L, -1L, FsError.INVALID_ARGUMENT, 10L, 10L));
    }

    @ParameterizedTest(name = "{0}: {4}")
    @MethodSource("toldLengths")
    void whatWasFlushedIsToldUntilTheEndOfTheWriting(
            String what, long generation, long synced, long flushed, FsError expected, long recorded, long told) {
        State state = state(ROW);
        AttachRequest request = AttachRequest.newBuilder()
                .setMetafile(FILE.value())
                .setWriteGeneration(generation)
                .setSyncedLength(synced)
                .setFlushedLength(flushed)
                .build();
        for (int again = 0; again < 2; again++) {
            assertThat(state.apply(new AttachDatafiles()
                                    .decide(request, principal(WRITER), state.view(), FixedInputs.now()))
                            .error())
                    .isEqualTo(expected);
        }
        MetafileRow open = Metafiles.find(state.view(), FILE).orElseThrow();
        assertThat(open.getLength()).isEqualTo(recorded);
        assertThat(new FileNode(FILE, open).attributes(false).getFlushedLength())
                .isEqualTo(told > recorded ? told : 0);
        assertThat(Metafiles.toldLength(open)).isEqualTo(told);

        State taken = state(open);
        taken.replay(TakenFile.from(FILE, open, state.view()));
        MetafileRow recovering = Metafiles.find(taken.view(), FILE).orElseThrow();
        assertThat(Metafiles.toldLength(recovering)).as("while it is recovered").isEqualTo(told);
        // A power cut took bytes that nobody had synced.
        taken.apply(new CompleteRecovery(
                        FILE,
                        recovering.getWriteGeneration(),
                        new SealedDatafiles(Map.of(D1, recorded), Set.of(), Set.of(), false))
                .decide(taken.view(), FixedInputs.now()));
        MetafileRow recovered = Metafiles.find(taken.view(), FILE).orElseThrow();
        assertThat(Metafiles.toldLength(recovered)).as("recovered").isEqualTo(recorded);
        assertThat(recovered.getFlushedLength()).isZero();

        for (long length : new long[] {told - 1, told}) {
            CloseRequest close = CloseRequest.newBuilder()
                    .setMetafile(FILE.value())
                    .setWriteGeneration(GENERATION)
                    .setLength(length)
                    .build();
            Reply reply =
                    state.apply(new CloseFile().decide(close, principal(WRITER), state.view(), FixedInputs.now()));
            assertThat(reply.error()).isEqualTo(length < told ? FsError.INVALID_ARGUMENT : FsError.OK);
        }
        MetafileRow closed = Metafiles.find(state.view(), FILE).orElseThrow();
        assertThat(closed.getLength()).isEqualTo(told);
        assertThat(closed.getFlushedLength()).isZero();
    }

    @ParameterizedTest
    @ValueSource(longs = {(1L << 49) + 1, Long.MAX_VALUE, -1, Long.MIN_VALUE})
    void hsyncOfMoreThanTheColumnsCanHoldIsRefused(long synced) {
        State state = state(ROW);
        Reply reply = state.apply(new AttachDatafiles()
                .decide(
                        AttachRequest.newBuilder()
                                .setMetafile(FILE.value())
                                .setWriteGeneration(GENERATION)
                                .addColumns(column(1, D2))
                                .setSyncedLength(synced)
                                .build(),
                        principal(WRITER),
                        state.view(),
                        FixedInputs.now()));
        assertThat(reply.error()).isEqualTo(FsError.INVALID_ARGUMENT);
        assertThat(reply.header().getMessage())
                .contains(Long.toUnsignedString(synced), FILE.toString(), String.valueOf(1L << 49));
        assertThat(Metafiles.find(state.view(), FILE)).contains(ROW);
    }

    static Stream<Arguments> confirmations() {
        return Stream.of(
                arguments("listed", ROW, FILE, 0, D1, GENERATION, Verdict.ATTACHED),
                arguments("listed, file closed", CLOSED, FILE, 0, D1, GENERATION, Verdict.ATTACHED),
                arguments("may yet come", ROW, FILE, 1, D2, GENERATION, Verdict.PENDING),
                arguments("another one is listed", ROW, FILE, 0, D3, GENERATION, Verdict.NEVER),
                arguments("generation was raised", ROW, FILE, 1, D2, GENERATION - 1, Verdict.NEVER),
                arguments("file was closed without it", CLOSED, FILE, 1, D2, GENERATION, Verdict.NEVER),
                arguments("file is in recovery", RECOVERING, FILE, 1, D2, GENERATION + 1, Verdict.NEVER),
                arguments("no such column", ROW, FILE, 2, D2, GENERATION, Verdict.NEVER),
                arguments("file was removed", ROW, GONE, 1, D2, GENERATION, Verdict.NEVER));
    }

    @ParameterizedTest(name = "{0}: {6}")
    @MethodSource("confirmations")
    void confirmation(
            String what, MetafileRow row, Handle file, int index, Handle datafile, long generation, Verdict expected) {
        Reply reply = confirm(state(row), file, index, datafile, generation);
        assertThat(((ConfirmDatafilesReply) reply.body()).getVerdictsList()).containsExactly(expected);
    }

    /** What lists it may be among the rows that are lost: nothing is removed on the word of such a shard. */
    @ParameterizedTest(name = "{0}: {6}")
    @MethodSource("confirmations")
    void confirmationByAShardThatIsNotSettledIsNeverNever(
            String what, MetafileRow row, Handle file, int index, Handle datafile, long generation, Verdict expected) {
        State state = state(row);
        state.replay(List.of(view -> Unsettled.mark(view, ShardTables.META, "salvaged")));
        Reply reply = confirm(state, file, index, datafile, generation);
        assertThat(((ConfirmDatafilesReply) reply.body()).getVerdictsList())
                .containsExactly(expected == Verdict.NEVER ? Verdict.PENDING : expected);
    }

    @Test
    void confirmationOfAnotherShardsFileIsRefused() {
        assertThat(confirm(state(ROW), OTHER_SHARD, 0, D1, GENERATION).error()).isEqualTo(FsError.NOT_OWNER);
    }

    private static Reply confirm(State state, Handle file, int index, Handle datafile, long generation) {
        ConfirmDatafilesRequest request = ConfirmDatafilesRequest.newBuilder()
                .addDatafiles(ConfirmDatafilesRequest.Datafile.newBuilder()
                        .setMetafile(file.value())
                        .setIndex(index)
                        .setDatafile(datafile.value())
                        .setWriteGeneration(generation))
                .build();
        return new ConfirmDatafiles().answer(request, principal(0), state.view(), FixedInputs.now());
    }

    static Stream<Arguments> recoveries() {
        return Stream.of(
                arguments("sealed columns", GENERATION + 1, Map.of(D1, STRIP, D2, 5L), true, STRIP + 5),
                arguments("a hole", GENERATION + 1, Map.of(D1, 100L, D2, 5L), true, 100L),
                arguments("less than recorded", GENERATION + 1, Map.of(D1, 0L, D2, 0L), true, 10L),
                arguments("another generation", GENERATION, Map.of(D1, STRIP, D2, 5L), false, 10L),
                arguments("a column not sealed", GENERATION + 1, Map.of(D1, STRIP), false, 10L));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("recoveries")
    void recoveryTakesWhatTheSealedColumnsHold(
            String what, long generation, Map<Handle, Long> lengths, boolean done, long length) {
        SealedDatafiles sealed = new SealedDatafiles(lengths, Set.of(), Set.of(), false);
        MetafileRow before = RECOVERING.toBuilder()
                .setLayout(ROW.getLayout().toBuilder().setDatafiles(1, D2.value()))
                .build();
        State state = state(before);
        boolean answer =
                state.apply(new CompleteRecovery(FILE, generation, sealed).decide(state.view(), FixedInputs.now()));
        MetafileRow after = Metafiles.find(state.view(), FILE).orElseThrow();
        assertThat(answer).isEqualTo(done);
        assertThat(after.getLength()).isEqualTo(length);
        assertThat(after.getRecovering()).isEqualTo(!done);
        assertThat(RecoveringFiles.after(state.view(), Handle.NONE, 9).isEmpty())
                .isEqualTo(done);
        if (done) {
            assertThat(state.apply(
                            new CompleteRecovery(FILE, generation, sealed).decide(state.view(), FixedInputs.now())))
                    .as("again")
                    .isTrue();
            assertThat(Metafiles.find(state.view(), FILE)).contains(after);
        }
    }

    static Stream<Arguments> damages() {
        Set<Handle> none = Set.of();
        return Stream.of(
                arguments("not damaged: a hole", Map.of(D1, 3 * STRIP, D2, 0L), none, STRIP, Map.of(D1, STRIP)),
                arguments("second lost", Map.of(D1, 3 * STRIP), Set.of(D2), 5 * STRIP, Map.of()),
                arguments("second lost, maybe never written", Map.of(D1, 40L), Set.of(D2), 40L, Map.of()),
                arguments("second lost, the first ends a strip", Map.of(D1, STRIP), Set.of(D2), STRIP, Map.of()),
                arguments("first lost", Map.of(D2, STRIP + 7), Set.of(D1), 3 * STRIP + 7, Map.of()),
                arguments("first lost, nothing else there", Map.of(D2, 0L), Set.of(D1), 10L, Map.of()),
                arguments("both lost", Map.of(), Set.of(D1, D2), 10L, Map.of()),
                arguments("first shorter than recorded", Map.of(D1, 9L, D2, STRIP), none, 2 * STRIP, Map.of()));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("damages")
    void damageOfOneColumnTakesNoBytesOfAnother(
            String what, Map<Handle, Long> lengths, Set<Handle> lost, long length, Map<Handle, Long> cuts) {
        MetafileRow row = RECOVERING.toBuilder()
                .setLayout(ROW.getLayout().toBuilder().setDatafiles(1, D2.value()))
                .build();
        SealedDatafiles sealed = new SealedDatafiles(lengths, lost, Set.of(), false);
        assertThat(RecoveredLength.of(row, sealed)).isEqualTo(length);
        assertThat(RecoveredLength.cuts(row, sealed)).isEqualTo(cuts);
    }

    static Stream<Arguments> flushedColumns() {
        return Stream.of(
                arguments("settled: flushed is not durable", Map.of(D1, STRIP, D2, 2L), false, STRIP + 2),
                arguments("all is there", Map.of(D1, STRIP, D2, 5L), true, STRIP + 5),
                arguments("more is there: perhaps cut off once", Map.of(D1, 3 * STRIP, D2, 7L), true, STRIP + 5),
                arguments("second shorter", Map.of(D1, 3 * STRIP, D2, 2L), true, STRIP + 5),
                arguments("both shorter", Map.of(D1, 10L, D2, 0L), true, STRIP + 5));
    }

    /** What a store that lost something has cuts nothing off, and does not make the file shorter than its readers saw it. */
    @ParameterizedTest(name = "{0}")
    @MethodSource("flushedColumns")
    void whatWasFlushedCountsWhereAStoreIsNotSettled(
            String what, Map<Handle, Long> lengths, boolean unsettled, long length) {
        MetafileRow row = RECOVERING.toBuilder()
                .setFlushedLength(STRIP + 5)
                .setLayout(ROW.getLayout().toBuilder().setDatafiles(1, D2.value()))
                .build();
        SealedDatafiles sealed = new SealedDatafiles(lengths, Set.of(), Set.of(), unsettled);
        assertThat(RecoveredLength.of(row, sealed)).isEqualTo(length);
        assertThat(RecoveredLength.cuts(row, sealed)).isEmpty();
        assertThat(RecoveredLength.of(row.toBuilder().setCut(true).build(), sealed))
                .as("truncated")
                .isEqualTo(10);
    }

    @Test
    void aColumnThatNeverGotADatafileIsNoDamage() {
        SealedDatafiles sealed = new SealedDatafiles(Map.of(D1, 3 * STRIP), Set.of(), Set.of(), false);
        assertThat(RecoveredLength.of(RECOVERING, sealed)).isEqualTo(STRIP);
        assertThat(RecoveredLength.cuts(RECOVERING, sealed)).isEqualTo(Map.of(D1, STRIP));
    }

    @Test
    void aTruncatedFileIsCutHoweverDamaged() {
        MetafileRow row = RECOVERING.toBuilder()
                .setCut(true)
                .setLayout(ROW.getLayout().toBuilder().setDatafiles(1, D2.value()))
                .build();
        SealedDatafiles sealed = new SealedDatafiles(Map.of(D1, STRIP), Set.of(D2), Set.of(), false);
        assertThat(RecoveredLength.of(row, sealed)).isEqualTo(10);
        assertThat(RecoveredLength.cuts(row, sealed)).isEqualTo(Map.of(D1, 10L));
    }

    static Stream<Arguments> truncates() {
        return Stream.of(
                arguments(
                        "all cut", new SealedDatafiles(Map.of(D1, STRIP, D2, STRIP), Set.of(), Set.of(), false), false),
                arguments("one lost", new SealedDatafiles(Map.of(D1, STRIP), Set.of(D2), Set.of(), false), true),
                arguments(
                        "one uncut",
                        new SealedDatafiles(Map.of(D1, STRIP, D2, 1L), Set.of(), Set.of(D1), false),
                        true));
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("truncates")
    void aTruncateEndsWithAMarkWhereNotAllWasCut(String what, SealedDatafiles sealed, boolean marked) {
        State state = state(RECOVERING.toBuilder()
                .setCut(true)
                .setLayout(ROW.getLayout().toBuilder().setDatafiles(1, D2.value()))
                .build());
        assertThat(state.apply(
                        new CompleteRecovery(FILE, GENERATION + 1, sealed).decide(state.view(), FixedInputs.now())))
                .isTrue();
        MetafileRow after = Metafiles.find(state.view(), FILE).orElseThrow();
        assertThat(after.getRecovering()).isFalse();
        assertThat(after.getCut()).isEqualTo(marked);
        assertThat(after.getLength()).isEqualTo(10);
    }

    @Test
    void recoveryOfARemovedFileOnlyLeavesTheQueue() {
        State state = State.of(new RecoveryQueued(GONE));
        assertThat(state.apply(new CompleteRecovery(GONE, 1, new SealedDatafiles(Map.of(), Set.of(), Set.of(), false))
                        .decide(state.view(), FixedInputs.now())))
                .isTrue();
        assertThat(RecoveringFiles.after(state.view(), Handle.NONE, 9)).isEmpty();
        assertThat(Metafiles.find(state.view(), GONE)).isEmpty();
    }

    @ParameterizedTest(name = "{0} datafiles: {1}")
    @CsvSource({"10000, OK", "10001, TOO_LARGE"})
    void oneQuestionConfirmsOnlySoManyDatafiles(int count, FsError expected) {
        ConfirmDatafilesRequest.Datafile asked = ConfirmDatafilesRequest.Datafile.newBuilder()
                .setMetafile(FILE.value())
                .setDatafile(D1.value())
                .build();
        ConfirmDatafilesRequest request = ConfirmDatafilesRequest.newBuilder()
                .addAllDatafiles(Collections.nCopies(count, asked))
                .build();
        State state = state(ROW);
        assertThat(new ConfirmDatafiles()
                        .answer(request, principal(0), state.view(), FixedInputs.now())
                        .error())
                .isEqualTo(expected);
    }
}
