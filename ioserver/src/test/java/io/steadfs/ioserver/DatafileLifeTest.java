package io.steadfs.ioserver;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.netty.buffer.Unpooled;
import io.steadfs.checksum.Crc32cCombine;
import io.steadfs.disk.NoSpaceException;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.Pieces;
import io.steadfs.ioserver.file.FaultyDataFiles;
import io.steadfs.ioserver.file.FaultyDataFiles.Step;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.*;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** A datafile from its first write to its removal, and what goes wrong on the way. */
final class DatafileLifeTest {
    private static final int CHUNK = 65536;

    @ParameterizedTest
    @EnumSource(
            value = Step.class,
            names = {"CREATE", "WRITE", "SYNC", "SYNC_DIRECTORY"})
    void growingIntoAFileFailsWhole(Step step) throws IOException {
        for (int successes = 0; successes < 2; successes++) {
            for (IOException failure : List.of(FaultyDataFiles.noSpace(), FaultyDataFiles.broken())) {
                try (IoRig rig = new IoRig()) {
                    byte[] small = IoRig.bytes(1, 50_000);
                    byte[] more = IoRig.bytes(2, 100_000);
                    Handle datafile = rig.make(small, true);
                    rig.disk.failAfter(step, successes, failure);

                    Reply reply = rig.ask(
                            Kind.WRITE,
                            IoRig.write(datafile, 50_000, more, true).build(),
                            more);

                    boolean failed = successes == 0 || step == Step.WRITE;
                    if (failed) {
                        assertThat(reply.error())
                                .isEqualTo(failure instanceof NoSpaceException ? FsError.NO_SPACE : FsError.IO_ERROR);
                        assertThat(rig.content(datafile)).isEqualTo(small);
                        assertThat(rig.disk.names()).isEmpty();
                        // The next try finds the disk well again.
                        rig.append(datafile, 50_000, more, true);
                    } else {
                        rig.disk.failNoMore();
                        IoRig.ok(reply);
                    }
                    assertThat(rig.content(datafile))
                            .hasSize(150_000)
                            .startsWith(small)
                            .endsWith(more);
                    rig.crash(new Random(3));
                    assertThat(rig.content(datafile))
                            .hasSize(150_000)
                            .startsWith(small)
                            .endsWith(more);
                }
            }
        }
    }

    @Test
    void aCrashBetweenTheFileAndItsRowLeavesTheSmallData() throws IOException {
        for (int seed = 0; seed < 20; seed++) {
            IoRig rig = new IoRig(IoKeys.LANES.name(), "1");
            byte[] small = IoRig.bytes(1, 50_000);
            byte[] more = IoRig.bytes(2, 100_000);
            Handle datafile = rig.make(small, true);
            rig.store.failNextCommit();
            Reply reply = rig.ask(
                    Kind.WRITE, IoRig.write(datafile, 50_000, more, true).build(), more);
            assertThat(reply.error()).isEqualTo(FsError.IO_ERROR);
            // What the disk kept is unknown: the server changes nothing more, and says why. What was there can be read.
            assertThat(rig.content(datafile)).isEqualTo(small);
            assertThat(rig.ask(
                                    Kind.WRITE,
                                    IoRig.write(datafile, 50_000, more, true).build(),
                                    more)
                            .error())
                    .isEqualTo(FsError.UNAVAILABLE);
            assertThat(rig.core().failure().orElseThrow().storeFailed()).isTrue();
            StatusReply status = (StatusReply) IoRig.ok(rig.ask(Kind.STATUS, StatusRequest.getDefaultInstance()))
                    .body();
            assertThat(status.getProblemsList()).anyMatch(problem -> problem.contains("lane 0 stopped"));

            rig.crash(new Random(seed));

            assertThat(rig.content(datafile)).isEqualTo(small);
            assertThat(rig.disk.names()).isEmpty();
            rig.close();
        }
    }

    /** After it, the system may take pages for written that are not: nothing of them may count. */
    @Test
    void aFailedSyncCutsTheFileToItsRowAndOpensItAnew() throws IOException {
        for (IOException failure : List.of(FaultyDataFiles.noSpace(), FaultyDataFiles.broken())) {
            try (IoRig rig = new IoRig()) {
                byte[] first = IoRig.bytes(1, 200_000);
                byte[] lost = IoRig.bytes(2, 70_000);
                byte[] later = IoRig.bytes(3, 90_000);
                Handle datafile = rig.make(first, true);
                rig.append(datafile, 200_000, lost, false);
                rig.disk.failAfter(Step.SYNC, 0, failure);
                rig.disk.takeSteps();
                Reply reply = rig.ask(
                        Kind.WRITE, IoRig.write(datafile, 270_000, later, true).build(), later);
                assertThat(reply.error())
                        .isEqualTo(failure instanceof NoSpaceException ? FsError.NO_SPACE : FsError.IO_ERROR);
                assertThat(rig.disk.takeSteps()).contains(Step.OPEN, Step.TRUNCATE);
                assertThat(rig.disk.size(datafile)).isEqualTo(200_000);
                assertThat(rig.content(datafile)).isEqualTo(first);

                assertThat(rig.append(datafile, 200_000, later, true).getLength())
                        .isEqualTo(290_000);
                rig.crash(new Random(5));
                assertThat(rig.content(datafile))
                        .hasSize(290_000)
                        .startsWith(first)
                        .endsWith(later);
            }
        }
    }

    @Test
    void aFailedWriteLeavesNoBytesBeyondTheLength() throws IOException {
        try (IoRig rig = new IoRig()) {
            byte[] first = IoRig.bytes(1, 200_000);
            byte[] more = IoRig.bytes(2, 70_000);
            Handle datafile = rig.make(first, true);
            rig.disk.failAfter(Step.WRITE, 0, FaultyDataFiles.noSpace());
            Reply reply = rig.ask(
                    Kind.WRITE, IoRig.write(datafile, 200_000, more, false).build(), more);
            assertThat(reply.error()).isEqualTo(FsError.NO_SPACE);
            assertThat(reply.header().getMessage()).contains("IO server " + IoRig.SERVER, "bytes free");
            assertThat(rig.disk.size(datafile)).isEqualTo(200_000);
            assertThat(rig.append(datafile, 200_000, more, true).getLength()).isEqualTo(270_000);
            rig.crash(new Random(6));
            assertThat(rig.content(datafile)).hasSize(270_000).startsWith(first).endsWith(more);
        }
    }

    @Test
    void unsyncedBytesOfAFileAreCutAtTheStart() throws IOException {
        try (IoRig rig = new IoRig()) {
            byte[] first = IoRig.bytes(1, 200_000);
            Handle datafile = rig.make(first, true);
            rig.append(datafile, 200_000, IoRig.bytes(2, 70_000), false);
            assertThat(rig.stat(datafile).getLength()).isEqualTo(270_000);
            assertThat(rig.stat(datafile).getSyncedLength()).isEqualTo(200_000);
            rig.store = rig.store.crash();
            rig.start();
            assertThat(rig.disk.size(datafile)).isEqualTo(200_000);
            assertThat(rig.content(datafile)).isEqualTo(first);
        }
    }

    @Test
    void aFlippedBitIsSeenByWhoComparesChecksums() throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle datafile = rig.make(IoRig.bytes(1, 300_000), true);
            assertThat(rig.content(datafile)).hasSize(300_000);
            rig.disk.flipBit(datafile, 150_000);
            assertThatThrownBy(() -> rig.content(datafile)).hasMessageContaining("checksums differ");
        }
    }

    @Test
    void aMissingOrShortFileIsCorrupt() throws IOException {
        try (IoRig rig = new IoRig(IoKeys.OPEN_MAX.name(), "1")) {
            Handle datafile = rig.make(IoRig.bytes(1, 300_000), true);
            rig.disk.cutBehind(datafile, 299_999);
            Reply cut = rig.read(datafile, 250_000, 50_000);
            assertThat(cut.error()).isEqualTo(FsError.CORRUPT);
            assertThat(cut.header().getMessage())
                    .contains(datafile.toString(), "/faulty/", "offset 250000", "299999 bytes");
            // What is there is still given.
            assertThat(rig.read(datafile, 0, 1000).error()).isEqualTo(FsError.OK);

            rig.restart();
            StatusReply status = (StatusReply) IoRig.ok(rig.ask(Kind.STATUS, StatusRequest.getDefaultInstance()))
                    .body();
            assertThat(status.getProblemsList())
                    .singleElement()
                    .asString()
                    .contains(datafile.toString(), "299999", "300000");

            rig.disk.loseBehind(datafile);
            rig.restart();
            Reply lost = rig.read(datafile, 0, 10);
            assertThat(lost.error()).isEqualTo(FsError.CORRUPT);
            assertThat(lost.header().getMessage()).contains(datafile.toString(), "missing file /faulty/", "offset 0");
        }
    }

    @Test
    void readsAreWholeChunksCutAtTheLength() throws IOException {
        try (IoRig rig = new IoRig()) {
            byte[] bytes = IoRig.bytes(1, 3 * CHUNK + 100);
            Handle datafile = rig.make(bytes, false);
            record Range(long offset, int length, long begin, long end) {}
            for (Range range : List.of(
                    new Range(0, 1, 0, CHUNK),
                    new Range(0, CHUNK, 0, CHUNK),
                    new Range(0, CHUNK + 1, 0, 2 * CHUNK),
                    new Range(CHUNK - 1, 2, 0, 2 * CHUNK),
                    new Range(CHUNK, 10, CHUNK, 2 * CHUNK),
                    new Range(3 * CHUNK, 10, 3 * CHUNK, bytes.length),
                    new Range(3 * CHUNK + 99, 8 << 20, 3 * CHUNK, bytes.length),
                    new Range(3 * CHUNK + 100, 10, 3 * CHUNK, 3 * CHUNK),
                    new Range(1 << 30, 10, 1 << 30, 1 << 30),
                    new Range(5, 0, 0, 0))) {
                Reply reply = IoRig.ok(rig.read(datafile, range.offset, range.length));
                ReadReply body = (ReadReply) reply.body();
                assertThat(reply.payload().length()).as(range.toString()).isEqualTo(range.end - range.begin);
                assertThat(body.getOffset()).as(range.toString()).isEqualTo(range.begin);
                assertThat(body.getDatafileLength()).isEqualTo(bytes.length);
                int[] expected = Pieces.checksums(
                        Unpooled.wrappedBuffer(
                                bytes, (int) Math.min(range.begin, bytes.length), (int) (range.end - range.begin)),
                        range.begin);
                assertThat(body.getChecksumsList())
                        .as(range.toString())
                        .isEqualTo(Arrays.stream(expected).boxed().toList());
                reply.payload().release();
            }
            assertThat(rig.read(datafile, 0, (8 << 20) + 1).error()).isEqualTo(FsError.TOO_LARGE);
            assertThat(rig.read(datafile, -1, 1).error()).isEqualTo(FsError.INVALID_ARGUMENT);
            assertThat(rig.read(Handle.of(IoRig.SERVER, 0, 4711), 0, 1).error()).isEqualTo(FsError.NO_SUCH_DATAFILE);
            assertThat(rig.read(Handle.of(9, 0, 1), 0, 1).error()).isEqualTo(FsError.NOT_OWNER);
        }
    }

    @Test
    void aSealOutlivesACrashAndRefusesLateWrites() throws IOException {
        try (IoRig rig = new IoRig()) {
            byte[] bytes = IoRig.bytes(1, 100_000);
            Handle datafile = rig.make(bytes, false);
            DatafileState sealed = rig.seal(datafile, 2);
            assertThat(IoRig.errorOf(sealed)).isEqualTo(FsError.OK);
            assertThat(sealed.getLength()).isEqualTo(100_000);
            assertThat(sealed.getSyncedLength()).isEqualTo(100_000);

            rig.crash(new Random(1));

            byte[] late = IoRig.bytes(2, 10);
            assertThat(rig.ask(
                                    Kind.WRITE,
                                    IoRig.write(datafile, 100_000, late, true).build(),
                                    late)
                            .error())
                    .isEqualTo(FsError.STALE_GENERATION);
            assertThat(IoRig.errorOf(rig.sync(datafile, 1))).isEqualTo(FsError.STALE_GENERATION);
            assertThat(rig.truncate(datafile, 1, 0).error()).isEqualTo(FsError.STALE_GENERATION);
            assertThat(IoRig.errorOf(rig.seal(datafile, 1))).isEqualTo(FsError.STALE_GENERATION);
            assertThat(rig.seal(datafile, 2)).isEqualTo(sealed);
            assertThat(rig.content(datafile)).isEqualTo(bytes);
            assertThat(IoRig.errorOf(rig.seal(Handle.of(IoRig.SERVER, 0, 4711), 2)))
                    .isEqualTo(FsError.NO_SUCH_DATAFILE);
            // Who holds the new generation writes on.
            assertThat(rig.ask(
                                    Kind.WRITE,
                                    IoRig.write(datafile, 100_000, late, true)
                                            .setWriteGeneration(2)
                                            .build(),
                                    late)
                            .error())
                    .isEqualTo(FsError.OK);
        }
    }

    @Test
    void theDatafileOfAnotherMetafileIsNeitherSealedNorRemoved() throws IOException {
        try (IoRig rig = new IoRig()) {
            byte[] bytes = IoRig.bytes(1, 1000);
            Handle datafile = rig.make(bytes, true);
            Handle another = new Handle(IoRig.METAFILE.value() + 1);

            SealReply sealed = (SealReply) IoRig.ok(rig.ask(
                            Kind.SEAL,
                            SealRequest.newBuilder()
                                    .addDatafiles(datafile.value())
                                    .setMetafile(another.value())
                                    .setWriteGeneration(9)
                                    .build()))
                    .body();
            RemoveReply removed = (RemoveReply) IoRig.ok(rig.ask(
                            Kind.REMOVE,
                            RemoveRequest.newBuilder()
                                    .addDatafiles(datafile.value())
                                    .addMetafiles(another.value())
                                    .build()))
                    .body();

            assertThat(IoRig.errorOf(sealed.getDatafiles(0))).isEqualTo(FsError.NO_SUCH_DATAFILE);
            assertThat(sealed.getDatafiles(0).getMessage()).contains(another.toString(), IoRig.METAFILE.toString());
            assertThat(removed.getRemoved()).isZero();
            assertThat(removed.getKeptList()).isEmpty();
            assertThat(rig.core().counters().get("remove.foreign")).isEqualTo(1);
            assertThat(rig.append(datafile, 1000, bytes, true).getLength()).isEqualTo(2000);
            assertThat(rig.remove(datafile)).isEqualTo(1);
        }
    }

    @Test
    void sealAndRemoveMustNameTheMetafile() throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle datafile = rig.make(IoRig.bytes(1, 10), true);
            assertThat(rig.ask(
                                    Kind.SEAL,
                                    SealRequest.newBuilder()
                                            .addDatafiles(datafile.value())
                                            .build())
                            .error())
                    .isEqualTo(FsError.INVALID_ARGUMENT);
            assertThat(rig.ask(
                                    Kind.REMOVE,
                                    RemoveRequest.newBuilder()
                                            .addDatafiles(datafile.value())
                                            .build())
                            .error())
                    .isEqualTo(FsError.INVALID_ARGUMENT);
            assertThat(rig.content(datafile)).hasSize(10);
        }
    }

    @Test
    void aSealInTheSameBatchStopsTheWriteBehindIt() throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle datafile = rig.make(IoRig.bytes(1, 10), true);
            byte[] late = IoRig.bytes(2, 10);
            IoRig.Pending before =
                    rig.begin(Kind.WRITE, IoRig.write(datafile, 10, late, false).build(), late);
            IoRig.Pending seal = rig.begin(
                    Kind.SEAL,
                    SealRequest.newBuilder()
                            .setMetafile(IoRig.METAFILE.value())
                            .addDatafiles(datafile.value())
                            .setWriteGeneration(2)
                            .build(),
                    new byte[0]);
            IoRig.Pending after =
                    rig.begin(Kind.WRITE, IoRig.write(datafile, 20, late, false).build(), late);
            rig.core().lanes().runQueued();
            assertThat(before.reply().error()).isEqualTo(FsError.OK);
            assertThat(((SealReply) seal.reply().body()).getDatafiles(0).getLength())
                    .isEqualTo(20);
            assertThat(after.reply().error()).isEqualTo(FsError.STALE_GENERATION);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 65536})
    void truncateCutsAtAnyByte(int smallMax) throws IOException {
        try (IoRig rig = new IoRig(IoKeys.SMALL_MAX.name(), String.valueOf(smallMax))) {
            byte[] bytes = IoRig.bytes(1, 70 * CHUNK + 123);
            Handle datafile = rig.make(Arrays.copyOf(bytes, 3 << 20), true);
            rig.append(datafile, 3 << 20, Arrays.copyOfRange(bytes, 3 << 20, bytes.length), false);
            assertThat(rig.truncate(datafile, 1, bytes.length + 1).error()).isEqualTo(FsError.INVALID_ARGUMENT);
            for (int length : new int[] {
                bytes.length,
                70 * CHUNK,
                70 * CHUNK - 1,
                65 * CHUNK,
                64 * CHUNK + 1,
                64 * CHUNK,
                64 * CHUNK - 7,
                30 * CHUNK + 5,
                5,
                0
            }) {
                Reply reply = IoRig.ok(rig.truncate(datafile, 2, length));
                DatafileState state = ((TruncateReply) reply.body()).getDatafile();
                assertThat(state.getLength()).isEqualTo(length);
                assertThat(state.getSyncedLength()).isEqualTo(length);
                assertThat(rig.content(datafile)).isEqualTo(Arrays.copyOf(bytes, length));
                assertThat(rig.disk.size(datafile)).isEqualTo(length);
                rig.crash(new Random(length));
                assertThat(rig.content(datafile)).isEqualTo(Arrays.copyOf(bytes, length));
            }
            // And grows again over what was cut.
            byte[] again = IoRig.bytes(9, 100_000);
            appendUnder(rig, 2, datafile, 0, again);
            assertThat(rig.content(datafile)).isEqualTo(again);
        }
    }

    private static void appendUnder(IoRig rig, long generation, Handle datafile, long offset, byte[] bytes) {
        IoRig.ok(rig.ask(
                Kind.WRITE,
                IoRig.write(datafile, offset, bytes, false)
                        .setWriteGeneration(generation)
                        .build(),
                bytes));
    }

    /** An appender's cut, of which duplicates arrive at every moment of its writing. */
    @ParameterizedTest
    @ValueSource(ints = {0, 65536})
    void aGenerationThatWroteCutsNoMore(int smallMax) throws IOException {
        try (IoRig rig = new IoRig(IoKeys.SMALL_MAX.name(), String.valueOf(smallMax))) {
            byte[] bytes = IoRig.bytes(1, 200);
            Handle datafile = rig.make(bytes, true);
            rig.seal(datafile, 2);
            IoRig.ok(rig.truncate(datafile, 2, 60));
            IoRig.ok(rig.truncate(datafile, 2, 60));
            rig.crash(new Random(1));
            IoRig.ok(rig.truncate(datafile, 2, 60));

            appendUnder(rig, 2, datafile, 60, Arrays.copyOfRange(bytes, 60, 100));
            assertThat(rig.truncate(datafile, 2, 60).error()).isEqualTo(FsError.STALE_GENERATION);
            assertThat(rig.content(datafile)).isEqualTo(Arrays.copyOf(bytes, 100));
            IoRig.ok(rig.truncate(datafile, 2, 100));
            rig.sync(datafile, 2);
            rig.crash(new Random(2));
            assertThat(rig.truncate(datafile, 2, 60).error()).isEqualTo(FsError.STALE_GENERATION);
            assertThat(rig.content(datafile)).isEqualTo(Arrays.copyOf(bytes, 100));

            rig.seal(datafile, 3);
            IoRig.ok(rig.truncate(datafile, 3, 60));
            assertThat(rig.content(datafile)).isEqualTo(Arrays.copyOf(bytes, 60));
        }
    }

    @Test
    void truncateDoesNotGiveRottenBytesAChecksum() throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle datafile = rig.make(IoRig.bytes(1, 300_000), true);
            rig.disk.flipBit(datafile, 270_000);
            Reply reply = rig.truncate(datafile, 2, 299_000);
            assertThat(reply.error()).isEqualTo(FsError.CORRUPT);
            assertThat(reply.header().getMessage()).contains("/faulty/" + datafile);
            assertThat(rig.stat(datafile).getLength()).isEqualTo(300_000);
        }
    }

    @Test
    void aFileWhoseRemovalWasCutShortGoesAtTheNextStart() throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle kept = rig.make(IoRig.bytes(1, 300_000), true);
            byte[] other = IoRig.bytes(2, 300_000);
            Handle removed = new Handle(IoRig.written(rig.ask(
                            Kind.WRITE,
                            IoRig.write(Handle.NONE, 0, other, true).setIndex(1).build(),
                            other))
                    .getDatafile());
            rig.disk.failAfter(Step.DELETE, 0, FaultyDataFiles.broken());
            assertThat(rig.remove(removed)).isEqualTo(1);
            assertThat(rig.disk.names()).containsExactlyInAnyOrder(kept, removed);
            assertThat(rig.read(removed, 0, 1).error()).isEqualTo(FsError.NO_SUCH_DATAFILE);
            rig.store = rig.store.crash();
            rig.start();
            assertThat(rig.disk.names()).containsExactly(kept);
            assertThat(rig.remove(removed)).isZero();
            assertThat(rig.content(kept)).hasSize(300_000);
        }
    }

    @Test
    void checksumOfStripsComposesToThatOfTheContent() throws IOException {
        try (IoRig rig = new IoRig()) {
            byte[] bytes = IoRig.bytes(1, (4 << 20) + 77_777);
            Handle datafile = rig.make(Arrays.copyOf(bytes, 4 << 20), true);
            rig.append(datafile, 4 << 20, Arrays.copyOfRange(bytes, 4 << 20, bytes.length), false);
            for (int strip : new int[] {CHUNK, 3 * CHUNK, 1 << 20, 1 << 30}) {
                ChecksumReply reply = (ChecksumReply) IoRig.ok(rig.ask(
                                Kind.CHECKSUM,
                                ChecksumRequest.newBuilder()
                                        .setDatafile(datafile.value())
                                        .setMetafile(IoRig.METAFILE.value())
                                        .setStripSize(strip)
                                        .build()))
                        .body();
                assertThat(reply.getLength()).isEqualTo(bytes.length);
                int composed = 0;
                long position = 0;
                for (int checksum : reply.getStripsList()) {
                    long length = Math.min(strip, bytes.length - position);
                    composed = Crc32cCombine.combine(composed, checksum, length);
                    position += length;
                }
                assertThat(position).isEqualTo(bytes.length);
                assertThat(composed).isEqualTo(Pieces.checksum(Unpooled.wrappedBuffer(bytes), 0, bytes.length));
            }
            for (int odd : new int[] {0, -CHUNK, CHUNK - 1, CHUNK + 1}) {
                assertThat(rig.ask(
                                        Kind.CHECKSUM,
                                        ChecksumRequest.newBuilder()
                                                .setDatafile(datafile.value())
                                                .setMetafile(IoRig.METAFILE.value())
                                                .setStripSize(odd)
                                                .build())
                                .error())
                        .isEqualTo(FsError.INVALID_ARGUMENT);
            }
        }
    }

    @Test
    void aFullQueueIsBusyAndDoesNothing() throws IOException {
        try (IoRig rig = new IoRig(IoKeys.LANES.name(), "1", IoKeys.QUEUE.name(), "16")) {
            byte[] bytes = IoRig.bytes(1, 10);
            List<IoRig.Pending> all = new ArrayList<>();
            for (int index = 0; index < 20; index++) {
                all.add(rig.begin(
                        Kind.WRITE,
                        IoRig.write(Handle.NONE, 0, bytes, true).setIndex(index).build(),
                        bytes));
            }
            rig.core().lanes().runQueued();
            assertThat(all.subList(0, 16)).allMatch(each -> each.reply().isOk());
            assertThat(all.subList(16, 20)).allMatch(each -> each.reply().error() == FsError.BUSY);
        }
    }

    @Test
    void aSyncThatMeetsAFullQueueIsBusyAsAWhole() throws IOException {
        try (IoRig rig = new IoRig(IoKeys.LANES.name(), "1", IoKeys.QUEUE.name(), "16")) {
            byte[] bytes = IoRig.bytes(1, 10);
            Handle datafile = rig.make(bytes, false);
            SyncRequest sync = SyncRequest.newBuilder()
                    .addDatafiles(datafile.value())
                    .setWriteGeneration(1)
                    .build();
            for (int index = 1; index <= 16; index++) {
                rig.begin(
                        Kind.WRITE,
                        IoRig.write(Handle.NONE, 0, bytes, true).setIndex(index).build(),
                        bytes);
            }
            assertThat(rig.begin(Kind.SYNC, sync, new byte[0]).reply().error()).isEqualTo(FsError.BUSY);
            rig.core().lanes().runQueued();
            assertThat(rig.ask(Kind.SYNC, sync).isOk()).isTrue();
        }
    }

    @Test
    void datafilesAboveTheBoundAreMadeDurableAndDropped() throws IOException {
        try (IoRig rig = new IoRig(IoKeys.LANES.name(), "1", IoKeys.OPEN_MAX.name(), "10")) {
            byte[] bytes = IoRig.bytes(1, 1000);
            List<Handle> made = new ArrayList<>();
            for (int index = 0; index < 100; index++) {
                made.add(new Handle(IoRig.written(rig.ask(
                                Kind.WRITE,
                                IoRig.write(Handle.NONE, 0, bytes, false)
                                        .setIndex(index)
                                        .build(),
                                bytes))
                        .getDatafile()));
            }
            assertThat(rig.core().lanes().openDatafiles()).isEqualTo(10);
            rig.store = rig.store.crash();
            rig.start();
            for (Handle datafile : made.subList(0, 90)) {
                assertThat(rig.content(datafile)).isEqualTo(bytes);
            }
            assertThat(rig.stat(made.get(99)).getLength()).isZero();
        }
    }

    @Test
    void bytesInMemoryStayWithinTheBound() throws IOException {
        try (IoRig rig = new IoRig(IoKeys.LANES.name(), "1", IoKeys.OPEN_BYTES.name(), "4000")) {
            byte[] bytes = IoRig.bytes(1, 1000);
            for (int index = 0; index < 20; index++) {
                IoRig.written(rig.ask(
                        Kind.WRITE,
                        IoRig.write(Handle.NONE, 0, bytes, false)
                                .setIndex(index)
                                .build(),
                        bytes));
                StatusReply status = (StatusReply) IoRig.ok(rig.ask(Kind.STATUS, StatusRequest.getDefaultInstance()))
                        .body();
                int open = Math.min(index + 1, 4);
                assertThat(status.getGaugesMap())
                        .containsEntry("datafiles.open", (long) open)
                        .containsEntry("datafiles.open.bytes", 1000L * open);
            }
        }
    }

    /** Made, grown, outgrown into a file, cut, removed: what all of them count for is what they have. */
    @Test
    void bytesInMemoryAreCountedThroughChanges() throws IOException {
        try (IoRig rig = new IoRig(IoKeys.LANES.name(), "1")) {
            Handle first = rig.make(IoRig.bytes(1, 1000), true);
            Handle other = makeColumn(rig, 1, IoRig.bytes(2, 500));
            assertThat(openBytes(rig)).isEqualTo(1500);
            rig.append(first, 1000, IoRig.bytes(3, 1000), true);
            assertThat(openBytes(rig)).isEqualTo(2500);
            rig.append(first, 2000, IoRig.bytes(4, 64 << 10), true);
            assertThat(openBytes(rig)).isBetween(500L, 600L);
            rig.remove(first);
            assertThat(openBytes(rig)).isEqualTo(500);
            rig.remove(other);
            assertThat(openBytes(rig)).isZero();
        }
    }

    private static Handle makeColumn(IoRig rig, int index, byte[] bytes) {
        WriteRequest request =
                IoRig.write(Handle.NONE, 0, bytes, true).setIndex(index).build();
        return new Handle(IoRig.written(rig.ask(Kind.WRITE, request, bytes)).getDatafile());
    }

    private static long openBytes(IoRig rig) {
        StatusReply status = (StatusReply) IoRig.ok(rig.ask(Kind.STATUS, StatusRequest.getDefaultInstance()))
                .body();
        return status.getGaugesOrThrow("datafiles.open.bytes");
    }

    @Test
    void handlesAreNeverUsedTwice() throws IOException {
        try (IoRig rig = new IoRig()) {
            Set<Handle> seen = new HashSet<>();
            byte[] bytes = IoRig.bytes(1, 1);
            for (int round = 0; round < 10; round++) {
                for (int index = 0; index < 20; index++) {
                    Handle datafile = new Handle(IoRig.written(rig.ask(
                                    Kind.WRITE,
                                    IoRig.write(Handle.NONE, 0, bytes, true)
                                            .setIndex(index)
                                            .build(),
                                    bytes))
                            .getDatafile());
                    assertThat(seen.add(datafile)).as("%s again", datafile).isTrue();
                    rig.remove(datafile);
                }
                if (round % 2 == 0) {
                    rig.crash(new Random(round));
                } else {
                    rig.restart();
                }
            }
        }
    }

    @Test
    void whatIsNoRequestForAnIoServerIsRefused() throws IOException {
        try (IoRig rig = new IoRig()) {
            assertThat(rig.ask(Kind.STAT, StatRequest.getDefaultInstance()).error())
                    .isEqualTo(FsError.NOT_SUPPORTED);
        }
    }
}
