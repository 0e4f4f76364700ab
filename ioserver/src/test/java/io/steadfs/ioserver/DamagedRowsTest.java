package io.steadfs.ioserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.ioserver.file.FaultyDataFiles;
import io.steadfs.ioserver.file.FaultyDataFiles.Step;
import io.steadfs.rpc.Reply;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import io.steadfs.store.Unsettled;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.*;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rows that are not what they should be: the datafile is refused, the server and its other datafiles go on. */
final class DamagedRowsTest {
    private static final byte[] BYTES = IoRig.bytes(1, 1000);
    private static final byte[] MORE = IoRig.bytes(2, 10);
    private static final int LENGTH_AT = 38;
    private static final int GROUP_BYTES = 4 << 20;

    private static Handle make(IoRig rig, int index, byte[] bytes, boolean sync) {
        Reply reply = rig.ask(
                Kind.WRITE,
                IoRig.write(Handle.NONE, 0, bytes, sync).setIndex(index).build(),
                bytes);
        return new Handle(IoRig.written(reply).getDatafile());
    }

    private static void damage(IoRig rig, Table table, Handle datafile) throws IOException {
        put(rig, table, DatafileTables.key(datafile), new byte[] {7, 7, 7});
    }

    /** The row that a server finds when it starts. */
    private static void put(IoRig rig, Table table, byte[] key, byte[] value) throws IOException {
        rig.core().close();
        rig.store = rig.store.reopen();
        try (Overlay overlay = rig.store.overlay()) {
            overlay.put(table, key, value);
            rig.store.commit(overlay, true);
        }
        rig.start();
    }

    private static void isRefused(DatafileState state, Handle datafile) {
        assertThat(IoRig.errorOf(state)).isEqualTo(FsError.CORRUPT);
        assertThat(state.getMessage()).contains(datafile.toString(), "IO server " + IoRig.SERVER);
    }

    private static void isRefused(Reply reply, Handle datafile) {
        assertThat(reply.error()).isEqualTo(FsError.CORRUPT);
        assertThat(reply.header().getMessage()).contains(datafile.toString(), "IO server " + IoRig.SERVER);
    }

    private static Reply checksum(IoRig rig, Handle datafile) {
        return rig.ask(
                Kind.CHECKSUM,
                ChecksumRequest.newBuilder()
                        .setDatafile(datafile.value())
                        .setMetafile(IoRig.METAFILE.value())
                        .setStripSize(1 << 20)
                        .build());
    }

    private static Reply write(IoRig rig, Handle datafile, int index) {
        return rig.ask(
                Kind.WRITE,
                IoRig.write(datafile, 1000, MORE, true).setIndex(index).build(),
                MORE);
    }

    /** Everything that a lane does to it is refused, position by position, and the other datafile is served. */
    private static void onlyOneIsRefused(IoRig rig, Handle bad, Handle good) {
        isRefused(rig.read(bad, 0, 10), bad);
        isRefused(write(rig, bad, 0), bad);
        isRefused(rig.truncate(bad, 1, 0), bad);
        isRefused(rig.sync(bad, 1), bad);
        SealReply sealed = (SealReply) IoRig.ok(rig.ask(
                        Kind.SEAL,
                        SealRequest.newBuilder()
                                .setMetafile(IoRig.METAFILE.value())
                                .addDatafiles(bad.value())
                                .addDatafiles(good.value())
                                .setWriteGeneration(1)
                                .build()))
                .body();
        isRefused(sealed.getDatafiles(0), bad);
        assertThat(IoRig.errorOf(sealed.getDatafiles(1))).isEqualTo(FsError.OK);
        assertThat(rig.content(good)).isEqualTo(BYTES);
        IoRig.ok(write(rig, good, 1));
    }

    @Test
    void smallDataOfAnotherLengthIsRefusedAndCanBeRemoved() throws IOException {
        try (IoRig rig = new IoRig(IoKeys.LANES.name(), "1")) {
            Handle bad = make(rig, 0, BYTES, true);
            Handle good = make(rig, 1, BYTES, true);
            damage(rig, DatafileTables.SMALL, bad);

            onlyOneIsRefused(rig, bad, good);

            assertThat(rig.remove(bad)).isEqualTo(1);
            assertThat(rig.read(bad, 0, 10).error()).isEqualTo(FsError.NO_SUCH_DATAFILE);
        }
    }

    @Test
    void aRowThatIsNoneIsRefusedAndKept() throws IOException {
        try (IoRig rig = new IoRig(IoKeys.LANES.name(), "1")) {
            Handle bad = make(rig, 0, BYTES, true);
            Handle good = make(rig, 1, BYTES, true);
            damage(rig, DatafileTables.DATAFILE, bad);

            onlyOneIsRefused(rig, bad, good);

            isRefused(rig.stat(bad), bad);
            isRefused(checksum(rig, bad), bad);
            IoRig.ok(checksum(rig, good));
            RemoveReply removed =
                    (RemoveReply) IoRig.ok(IoRig.removal(rig, bad, good)).body();
            assertThat(removed.getKeptList()).containsExactly(bad.value());
            assertThat(removed.getRemoved()).isEqualTo(1);
            isRefused(rig.stat(bad), bad);
        }
    }

    /** The row of a datafile in a file says that it is so long. */
    private static void setLength(IoRig rig, Handle datafile, long length) throws IOException {
        byte[] key = DatafileTables.key(datafile);
        byte[] row = rig.store.committed().get(DatafileTables.DATAFILE, key).orElseThrow();
        put(
                rig,
                DatafileTables.DATAFILE,
                key,
                ByteBuffer.wrap(row).putLong(LENGTH_AT, length).array());
    }

    @ParameterizedTest
    @ValueSource(longs = {-1, Long.MIN_VALUE, (1L << 48) + 1, Long.MAX_VALUE, Long.MAX_VALUE - (1L << 31) + 1})
    void aRowOfAnImpossibleLengthIsRefusedAndKept(long length) throws IOException {
        try (IoRig rig = new IoRig(IoKeys.LANES.name(), "1")) {
            Handle bad = make(rig, 0, IoRig.bytes(3, 300_000), true);
            Handle good = make(rig, 1, BYTES, true);
            setLength(rig, bad, length);

            onlyOneIsRefused(rig, bad, good);

            isRefused(rig.stat(bad), bad);
            RemoveReply removed =
                    (RemoveReply) IoRig.ok(IoRig.removal(rig, bad, good)).body();
            assertThat(removed.getKeptList()).containsExactly(bad.value());
            assertThat(removed.getRemoved()).isEqualTo(1);
            assertThat(rig.disk.names()).containsExactly(bad);
        }
    }

    /** As long as a datafile may be: its groups of checksums are looked for, not counted. */
    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aRowOfALengthThatNothingIsBehindIsRemoved() throws IOException {
        try (IoRig rig = new IoRig(IoKeys.LANES.name(), "1")) {
            Handle bad = make(rig, 0, IoRig.bytes(3, 300_000), true);
            setLength(rig, bad, 1L << 48);
            assertThat(rig.remove(bad)).isEqualTo(1);
        }
    }

    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void aRowOfALengthThatNothingIsBehindIsCut() throws IOException {
        try (IoRig rig = new IoRig(IoKeys.LANES.name(), "1")) {
            Handle bad = make(rig, 0, IoRig.bytes(3, 300_000), true);
            // No group of checksums is begun.
            setLength(rig, bad, (1L << 47) + 1);
            IoRig.ok(rig.truncate(bad, 2, 0));
            assertThat(rig.stat(bad).getLength()).isZero();
        }
    }

    private static byte[] groupKey(Handle datafile, int group) {
        return ByteBuffer.allocate(12).putLong(datafile.value()).putInt(group).array();
    }

    /** Three groups of checksums, of which the lane has the last one in memory once it knows the datafile. */
    private static Handle makeLarge(IoRig rig) throws IOException {
        Handle datafile = make(rig, 0, IoRig.bytes(3, GROUP_BYTES), true);
        rig.append(datafile, GROUP_BYTES, IoRig.bytes(4, GROUP_BYTES), true);
        rig.append(datafile, 2 * GROUP_BYTES, IoRig.bytes(5, 300_000), true);
        rig.restart();
        return datafile;
    }

    private static int groups(IoRig rig, Handle datafile) {
        int groups = 0;
        try (ReadView.Cursor cursor = rig.store
                .committed()
                .scan(DatafileTables.CHUNKS, groupKey(datafile, 0), groupKey(new Handle(datafile.value() + 1), 0))) {
            while (cursor.next()) {
                groups++;
            }
        }
        return groups;
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 2})
    void checksumsThatCannotBeReadAreRemovedUnread(int group) throws IOException {
        try (IoRig rig = new IoRig(IoKeys.LANES.name(), "1")) {
            Handle bad = makeLarge(rig);
            Handle good = make(rig, 1, IoRig.bytes(6, 300_000), true);
            assertThat(groups(rig, bad)).isEqualTo(3);
            rig.store.rot(DatafileTables.CHUNKS, groupKey(bad, group));
            assertThat(rig.remove(bad)).isEqualTo(1);
            assertThat(groups(rig, bad)).isZero();
            assertThat(groups(rig, good)).isEqualTo(1);
            assertThat(rig.disk.names()).containsExactly(good);
        }
    }

    /** Rows and file bad together is what one dying disk does; the datafiles beside it go all the same. */
    @Test
    void whatIsDamagedTwiceKeepsNoOtherFromBeingRemoved() throws IOException {
        try (IoRig rig = new IoRig(IoKeys.LANES.name(), "1")) {
            Handle bad = makeLarge(rig);
            Handle good = make(rig, 1, IoRig.bytes(6, 300_000), true);
            rig.restart();
            rig.store.rot(DatafileTables.CHUNKS, groupKey(bad, 1));
            rig.disk.failAfter(Step.OPEN, 0, FaultyDataFiles.broken());
            Reply reply = IoRig.removal(rig, bad, good);
            assertThat(reply.error()).isEqualTo(FsError.OK);
            assertThat(IoRig.errorOf(rig.stat(good))).isEqualTo(FsError.NO_SUCH_DATAFILE);
        }
    }

    /** What the row says is no bound. */
    @Test
    @Timeout(value = 20, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
    void soAreThoseOfARowOfALengthThatNothingIsBehind() throws IOException {
        try (IoRig rig = new IoRig(IoKeys.LANES.name(), "1")) {
            Handle bad = makeLarge(rig);
            setLength(rig, bad, 1L << 48);
            rig.store.rot(DatafileTables.CHUNKS, groupKey(bad, 1));
            assertThat(rig.remove(bad)).isEqualTo(1);
            assertThat(groups(rig, bad)).isZero();
        }
    }

    @Test
    void andThoseOfADatafileWhoseFileIsGone() throws IOException {
        try (IoRig rig = new IoRig(IoKeys.LANES.name(), "1")) {
            Handle bad = makeLarge(rig);
            rig.disk.delete(bad);
            rig.store.rot(DatafileTables.CHUNKS, groupKey(bad, 1));
            assertThat(rig.remove(bad)).isEqualTo(1);
            assertThat(IoRig.errorOf(rig.stat(bad))).isEqualTo(FsError.NO_SUCH_DATAFILE);
        }
    }

    @Test
    void checksumsThatCannotBeReadAreCutUnread() throws IOException {
        try (IoRig rig = new IoRig(IoKeys.LANES.name(), "1")) {
            Handle bad = makeLarge(rig);
            rig.store.rot(DatafileTables.CHUNKS, groupKey(bad, 1));
            isRefused(rig.truncate(bad, 2, GROUP_BYTES + GROUP_BYTES / 2), bad);
            IoRig.ok(rig.truncate(bad, 2, GROUP_BYTES / 2));
            assertThat(groups(rig, bad)).isEqualTo(1);
            assertThat(rig.content(bad)).isEqualTo(Arrays.copyOf(IoRig.bytes(3, GROUP_BYTES), GROUP_BYTES / 2));
        }
    }

    /** The first write to a column is never led to another column's bytes, nor to a datafile of another lane. */
    @Test
    void aColumnThatNamesAnothersDatafileIsRefused() throws IOException {
        try (IoRig rig = new IoRig()) {
            make(rig, 0, BYTES, true);
            Handle good = make(rig, 1, BYTES, true);
            byte[] column = ByteBuffer.allocate(12)
                    .putLong(IoRig.METAFILE.value())
                    .putInt(0)
                    .array();
            put(rig, DatafileTables.COLUMN, column, DatafileTables.key(good));

            isRefused(
                    rig.ask(Kind.WRITE, IoRig.write(Handle.NONE, 0, MORE, true).build(), MORE), good);
            assertThat(rig.content(good)).isEqualTo(BYTES);
        }
    }

    @Test
    void aFileWhoseRowIsNoneIsAProblemAndIsKept() throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle bad = make(rig, 0, IoRig.bytes(3, 300_000), true);
            Handle good = make(rig, 1, BYTES, true);
            damage(rig, DatafileTables.DATAFILE, bad);

            assertThat(rig.disk.names()).containsExactly(bad);
            StatusReply status = (StatusReply) IoRig.ok(rig.ask(Kind.STATUS, StatusRequest.getDefaultInstance()))
                    .body();
            assertThat(status.getProblemsList())
                    .singleElement()
                    .asString()
                    .contains(bad.toString(), rig.disk.locationOf(bad));
            assertThat(rig.content(good)).isEqualTo(BYTES);
        }
    }

    /** Nobody asked for a sync, but a bound made the batch sync the datafile, in vain. */
    @Test
    void aFirstWriteWhoseBytesAreTakenBackIsNotAcknowledged() throws IOException {
        try (IoRig rig =
                new IoRig(IoKeys.LANES.name(), "1", IoKeys.OPEN_MAX.name(), "1", IoKeys.SMALL_MAX.name(), "0")) {
            IoRig.Pending eldest = rig.begin(
                    Kind.WRITE, IoRig.write(Handle.NONE, 0, BYTES, false).build(), BYTES);
            IoRig.Pending youngest = rig.begin(
                    Kind.WRITE,
                    IoRig.write(Handle.NONE, 0, BYTES, false).setIndex(1).build(),
                    BYTES);
            rig.disk.failAfter(Step.SYNC, 0, FaultyDataFiles.broken());
            rig.core().lanes().runQueued();

            assertThat(eldest.reply().error()).isEqualTo(FsError.IO_ERROR);
            WriteReply kept = IoRig.written(youngest.reply());
            assertThat(rig.content(new Handle(kept.getDatafile()))).isEqualTo(BYTES);
            rig.disk.failNoMore();
            assertThat(rig.content(make(rig, 0, BYTES, true))).isEqualTo(BYTES);
        }
    }

    /** Its row may be lost, and the file all that is left: it goes once a check has settled what is what. */
    @Test
    void aServerThatIsNotSettledKeepsFilesWithoutRows() throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle lost = make(rig, 1, IoRig.bytes(1, 300_000), true);
            Handle older = make(rig, 2, IoRig.bytes(2, 300_000), true);
            byte[] olderRow = rig.store
                    .committed()
                    .get(DatafileTables.DATAFILE, DatafileTables.key(older))
                    .orElseThrow();
            ByteBuffer.wrap(olderRow).putLong(LENGTH_AT, 100_000);
            rig.core().close();
            rig.store = rig.store.reopen();
            try (Overlay overlay = rig.store.overlay()) {
                Unsettled.mark(overlay, DatafileTables.META, "salvaged");
                overlay.delete(DatafileTables.DATAFILE, DatafileTables.key(lost));
                overlay.put(DatafileTables.DATAFILE, DatafileTables.key(older), olderRow);
                rig.store.commit(overlay, true);
            }
            rig.start();
            assertThat(sizes(rig)).containsEntry(lost, 300_000L).containsEntry(older, 300_000L);

            rig.core().close();
            rig.store = rig.store.reopen();
            try (Overlay overlay = rig.store.overlay()) {
                Unsettled.settle(overlay, DatafileTables.META);
                rig.store.commit(overlay, true);
            }
            rig.start();
            assertThat(sizes(rig)).doesNotContainKey(lost).containsEntry(older, 100_000L);
        }
    }

    /** Its length may be of before what was acknowledged: whoever recovers the file is told. */
    @Test
    void aServerThatIsNotSettledSaysSoWhenItSeals() throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle datafile = make(rig, 1, IoRig.bytes(1, 300_000), true);
            hold(rig, view -> Unsettled.mark(view, DatafileTables.META, "with an older state"));
            SealRequest seal = SealRequest.newBuilder()
                    .addDatafiles(datafile.value())
                    .addDatafiles(Handle.of(IoRig.SERVER, 0, 9_999).value())
                    .setMetafile(IoRig.METAFILE.value())
                    .setWriteGeneration(2)
                    .build();
            SealReply held = (SealReply) rig.ask(Kind.SEAL, seal).body();
            assertThat(held.getUnsettled()).isTrue();
            assertThat(held.getDatafiles(0).getLength()).isEqualTo(300_000);
            assertThat(held.getDatafiles(1).getError()).isEqualTo(FsError.NO_SUCH_DATAFILE.code());
            TruncateRequest cut = TruncateRequest.newBuilder()
                    .setDatafile(datafile.value())
                    .setMetafile(IoRig.METAFILE.value())
                    .setLength(100_000)
                    .setWriteGeneration(2)
                    .build();
            assertThat(rig.ask(Kind.TRUNCATE, cut).error()).isEqualTo(FsError.OK);
            assertThat(sizes(rig)).containsEntry(datafile, 100_000L);

            hold(rig, view -> Unsettled.settle(view, DatafileTables.META));
            SealReply settled = (SealReply) rig.ask(Kind.SEAL, seal).body();
            assertThat(settled.getUnsettled()).isFalse();
            assertThat(settled.getDatafiles(0).getLength()).isEqualTo(100_000);
        }
    }

    private static void hold(IoRig rig, Consumer<Overlay> change) throws IOException {
        rig.core().close();
        rig.store = rig.store.reopen();
        try (Overlay overlay = rig.store.overlay()) {
            change.accept(overlay);
            rig.store.commit(overlay, true);
        }
        rig.start();
    }

    private static Map<Handle, Long> sizes(IoRig rig) throws IOException {
        Map<Handle, Long> sizes = new HashMap<>();
        rig.disk.visit(sizes::put);
        return sizes;
    }
}
