package io.steadfs.ioserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.disk.Space;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.op.WriteDatafile;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.WriteReply;
import io.steadfs.wire.proto.WriteRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/** WRITE, rule by rule, each with the row just outside it. */
final class WriteRulesTest {
    private static final byte[] THERE = IoRig.bytes(1, 1000);
    private static final byte[] MORE = IoRig.bytes(2, 500);

    /** Each row writes to a datafile of 1000 bytes, made and sealed at generation 5: offset, bytes, what is odd, answer. */
    static Stream<Arguments> rules() {
        byte[] overlap = concat(Arrays.copyOfRange(THERE, 900, 1000), MORE);
        byte[] differs = overlap.clone();
        differs[99] ^= 1;
        byte[] differsBeyond = overlap.clone();
        differsBeyond[100] ^= 1;
        return Stream.of(
                rule("append at the length", 1000, MORE, q -> {}, FsError.OK, 1500),
                rule("one byte beyond the length", 1001, MORE, q -> {}, FsError.WRITE_GAP, 1000),
                rule("nothing, at the length", 1000, new byte[0], q -> {}, FsError.OK, 1000),
                rule("nothing, beyond", 1001, new byte[0], q -> {}, FsError.WRITE_GAP, 1000),
                rule("repeat of all", 0, THERE, q -> {}, FsError.OK, 1000),
                rule("repeat of a part", 300, Arrays.copyOfRange(THERE, 300, 400), q -> {}, FsError.OK, 1000),
                rule("repeat and more", 900, overlap, q -> {}, FsError.OK, 1500),
                rule("repeat of other bytes", 900, differs, q -> {}, FsError.WRITE_CONFLICT, 1000),
                rule("other bytes only beyond", 900, differsBeyond, q -> {}, FsError.OK, 1500),
                rule("equal generation", 1000, MORE, q -> q.setWriteGeneration(5), FsError.OK, 1500),
                rule("newer generation", 1000, MORE, q -> q.setWriteGeneration(6), FsError.OK, 1500),
                rule("older generation", 1000, MORE, q -> q.setWriteGeneration(4), FsError.STALE_GENERATION, 1000),
                rule("older, repeat only", 0, THERE, q -> q.setWriteGeneration(4), FsError.STALE_GENERATION, 1000),
                rule(
                        "another metafile",
                        1000,
                        MORE,
                        q -> q.setMetafile(IoRig.METAFILE.value() + 1),
                        FsError.ALREADY_ATTACHED,
                        1000),
                rule("another index", 1000, MORE, q -> q.setIndex(1), FsError.ALREADY_ATTACHED, 1000),
                rule("no metafile", 1000, MORE, q -> q.setMetafile(0), FsError.INVALID_ARGUMENT, 1000),
                rule(
                        "an IO server's metafile",
                        1000,
                        MORE,
                        q -> q.setMetafile(others()),
                        FsError.INVALID_ARGUMENT,
                        1000),
                rule("negative index", 1000, MORE, q -> q.setIndex(-1), FsError.INVALID_ARGUMENT, 1000),
                rule("unknown datafile", 0, MORE, q -> q.setDatafile(unknown()), FsError.NO_SUCH_DATAFILE, 1000),
                rule("another server's", 0, MORE, q -> q.setDatafile(others()), FsError.NOT_OWNER, 1000),
                rule("first write again", 0, THERE, q -> q.setDatafile(0), FsError.OK, 1000),
                rule("first write again, more", 900, overlap, q -> q.setDatafile(0), FsError.OK, 1500),
                rule("first write, other bytes", 900, differs, q -> q.setDatafile(0), FsError.WRITE_CONFLICT, 1000),
                rule(
                        "first write, older generation",
                        0,
                        THERE,
                        q -> q.setDatafile(0).setWriteGeneration(4),
                        FsError.STALE_GENERATION,
                        1000),
                rule("wrong checksum", 1000, MORE, q -> q.setChecksums(0, 1), FsError.CORRUPT, 1000),
                rule("missing checksum", 1000, MORE, q -> q.clearChecksums(), FsError.INVALID_ARGUMENT, 1000),
                rule("one checksum too many", 1000, MORE, q -> q.addChecksums(7), FsError.INVALID_ARGUMENT, 1000),
                rule("negative offset", 1000, MORE, q -> q.setOffset(-1), FsError.INVALID_ARGUMENT, 1000));
    }

    private static Arguments rule(
            String name, long offset, byte[] bytes, Consumer<WriteRequest.Builder> odd, FsError error, long length) {
        return Arguments.of(name, offset, bytes, odd, error, length);
    }

    private static long unknown() {
        return Handle.of(IoRig.SERVER, 0, 999_999).value();
    }

    private static long others() {
        return Handle.of(IoRig.SERVER + 1, 0, 1).value();
    }

    @ParameterizedTest(name = "{0}")
    @MethodSource("rules")
    void ruleHolds(
            String name, long offset, byte[] bytes, Consumer<WriteRequest.Builder> odd, FsError error, long length)
            throws IOException {
        for (boolean sync : new boolean[] {false, true}) {
            for (String smallMax : new String[] {"0", "1200", "65536"}) {
                try (IoRig rig = new IoRig(IoKeys.SMALL_MAX.name(), smallMax)) {
                    WriteRequest first = IoRig.write(Handle.NONE, 0, THERE, sync)
                            .setWriteGeneration(5)
                            .build();
                    Handle datafile = new Handle(
                            IoRig.written(rig.ask(Kind.WRITE, first, THERE)).getDatafile());
                    WriteRequest.Builder request =
                            IoRig.write(datafile, offset, bytes, sync).setWriteGeneration(5);
                    odd.accept(request);

                    Reply reply = rig.ask(Kind.WRITE, request.build(), bytes);

                    assertThat(reply.error()).as(reply.header().getMessage()).isEqualTo(error);
                    assertThat(rig.stat(datafile).getLength()).isEqualTo(length);
                    assertThat(rig.content(datafile)).hasSize((int) length).startsWith(THERE);
                    if (reply.isOk()) {
                        WriteReply written = (WriteReply) reply.body();
                        assertThat(written.getDatafile()).isEqualTo(datafile.value());
                        assertThat(written.getLength()).isEqualTo(length);
                        assertThat(written.getSyncedLength()).isEqualTo(sync ? length : 0);
                    } else {
                        assertThat(reply.header().getMessage()).isNotEmpty();
                    }
                }
            }
        }
    }

    @Test
    void aFirstWriteBeyondTheBeginningMakesNothing() throws IOException {
        try (IoRig rig = new IoRig()) {
            Reply reply =
                    rig.ask(Kind.WRITE, IoRig.write(Handle.NONE, 10, MORE, true).build(), MORE);
            assertThat(reply.error()).isEqualTo(FsError.WRITE_GAP);
            assertThat(rig.core().counters().get("store.commits")).isZero();
        }
    }

    @Test
    void aWriteIsAtMostFourMebibytes() throws IOException {
        try (IoRig rig = new IoRig()) {
            byte[] most = IoRig.bytes(3, WriteDatafile.MOST_BYTES);
            Handle datafile = rig.make(most, false);
            assertThat(rig.stat(datafile).getLength()).isEqualTo(most.length);

            byte[] tooMuch = IoRig.bytes(3, WriteDatafile.MOST_BYTES + 1);
            Reply reply = rig.ask(
                    Kind.WRITE,
                    IoRig.write(datafile, most.length, tooMuch, false).build(),
                    tooMuch);
            assertThat(reply.error()).isEqualTo(FsError.TOO_LARGE);
        }
    }

    @Test
    void aFirstWriteUnderANewerGenerationMakesAnotherDatafile() throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle old = rig.make(THERE, true);
            WriteRequest newer = IoRig.write(Handle.NONE, 0, MORE, true)
                    .setWriteGeneration(2)
                    .build();
            Handle fresh =
                    new Handle(IoRig.written(rig.ask(Kind.WRITE, newer, MORE)).getDatafile());

            assertThat(fresh).isNotEqualTo(old);
            assertThat(rig.content(fresh)).isEqualTo(MORE);
            assertThat(rig.content(old)).isEqualTo(THERE);
            // Removing the old one leaves the column to the new one.
            assertThat(rig.remove(old)).isEqualTo(1);
            assertThat(IoRig.written(rig.ask(Kind.WRITE, newer, MORE)).getDatafile())
                    .isEqualTo(fresh.value());
        }
    }

    @Test
    void aFirstWriteIsRepeatedAfterACrash() throws IOException {
        for (boolean sync : new boolean[] {false, true}) {
            try (IoRig rig = new IoRig()) {
                Handle datafile = rig.make(THERE, sync);
                rig.crash(new Random(5));
                assertThat(rig.stat(datafile).getLength()).isEqualTo(sync ? THERE.length : 0);
                assertThat(rig.make(THERE, sync)).isEqualTo(datafile);
                assertThat(rig.content(datafile)).isEqualTo(THERE);
            }
        }
    }

    @Test
    void noSpaceIsSaidBeforeAnythingIsStored() throws IOException {
        try (IoRig rig = new IoRig(Space.RESERVE.name(), "1000000")) {
            Handle datafile = rig.make(THERE, true);
            rig.disk.setCapacity(1_000_000 + 2 * THERE.length);
            rig.core().space().measure();
            assertThat(rig.append(datafile, 1000, MORE, true).getLength()).isEqualTo(1500);
            byte[] much = IoRig.bytes(9, 5000);
            Reply refused =
                    rig.ask(Kind.WRITE, IoRig.write(datafile, 1500, much, true).build(), much);
            assertThat(refused.error()).isEqualTo(FsError.NO_SPACE);
            assertThat(refused.header().getMessage()).contains("1000000 in reserve");
            Reply noNew = rig.ask(
                    Kind.WRITE,
                    IoRig.write(Handle.NONE, 0, much, true).setIndex(4).build(),
                    much);
            assertThat(noNew.error()).isEqualTo(FsError.NO_SPACE);
            assertThat(rig.stat(datafile).getLength()).isEqualTo(1500);
        }
    }

    @Test
    void aWriteThatWasGivenUpIsNotBegun() throws IOException {
        try (IoRig rig = new IoRig()) {
            IoRig.Pending pending = rig.begin(
                    Kind.WRITE, IoRig.write(Handle.NONE, 0, MORE, true).build(), MORE);
            pending.cancel();
            rig.core().lanes().runQueued();
            assertThat(pending.reply().error()).isEqualTo(FsError.CANCELLED);
            assertThat(rig.core().counters().get("store.commits")).isZero();
        }
    }

    @Test
    void aSmallSyncedFirstWriteIsOneCommitAndNoFile() throws IOException {
        try (IoRig rig = new IoRig()) {
            rig.make(THERE, true);
            assertThat(rig.core().counters().get("store.syncs")).isEqualTo(1);
            assertThat(rig.core().counters().get("fsyncs.file")).isZero();
            assertThat(rig.disk.names()).isEmpty();
        }
    }

    @Test
    void oneCommitServesAllThatWaited() throws IOException {
        try (IoRig rig = new IoRig(IoKeys.LANES.name(), "1")) {
            List<IoRig.Pending> pending = new ArrayList<>();
            for (int index = 0; index < 50; index++) {
                pending.add(rig.begin(
                        Kind.WRITE,
                        IoRig.write(Handle.NONE, 0, THERE, true).setIndex(index).build(),
                        THERE));
            }
            rig.core().lanes().runQueued();
            assertThat(pending).allMatch(each -> each.reply().isOk());
            assertThat(rig.core().counters().get("store.syncs")).isEqualTo(1);
        }
    }

    private static byte[] concat(byte[] first, byte[] second) {
        byte[] both = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, both, first.length, second.length);
        return both;
    }
}
