package io.steadfs.ioserver;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.rpc.Reply;
import io.steadfs.store.Overlay;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ChecksumReply;
import io.steadfs.wire.proto.ChecksumRequest;
import io.steadfs.wire.proto.RemoveRequest;
import io.steadfs.wire.proto.SealRequest;
import io.steadfs.wire.proto.StatDatafilesRequest;
import io.steadfs.wire.proto.StatusReply;
import io.steadfs.wire.proto.StatusRequest;
import io.steadfs.wire.proto.SyncRequest;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** How much one request may ask for, and how much may wait: at the limit and one beyond it. */
class RequestLimitsTest {
    private static final int MOST_DATAFILES = 4096;
    private static final int MOST_STRIPS = 1 << 20;
    private static final int CHUNK = 64 << 10;
    private static final int GROUP_CHUNKS = 64;
    private static final long MOST_OFFSET = (1L << 48) - (4 << 20);

    private static MessageLite naming(Kind kind, List<Long> datafiles) {
        return switch (kind) {
            case SYNC ->
                SyncRequest.newBuilder()
                        .addAllDatafiles(datafiles)
                        .setWriteGeneration(1)
                        .build();
            case SEAL ->
                SealRequest.newBuilder()
                        .addAllDatafiles(datafiles)
                        .setWriteGeneration(1)
                        .setMetafile(IoRig.METAFILE.value())
                        .build();
            case REMOVE ->
                RemoveRequest.newBuilder()
                        .addAllDatafiles(datafiles)
                        .addAllMetafiles(Collections.nCopies(datafiles.size(), IoRig.METAFILE.value()))
                        .build();
            default ->
                StatDatafilesRequest.newBuilder().addAllDatafiles(datafiles).build();
        };
    }

    @ParameterizedTest
    @EnumSource(names = {"SYNC", "SEAL", "REMOVE", "STAT_DATAFILES"})
    void oneRequestNamesOnlySoManyDatafiles(Kind kind) throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle datafile = rig.make(IoRig.bytes(1, 100), true);
            List<Long> most = Collections.nCopies(MOST_DATAFILES, datafile.value());
            List<Long> more = Collections.nCopies(MOST_DATAFILES + 1, datafile.value());

            Reply refused = rig.ask(kind, naming(kind, more));
            assertThat(refused.error()).isEqualTo(FsError.TOO_LARGE);
            assertThat(refused.header().getMessage()).contains("4097 datafiles", "4096");
            assertThat(rig.content(datafile)).as("is untouched").hasSize(100);
            assertThat(rig.ask(kind, naming(kind, most)).error()).isEqualTo(FsError.OK);
        }
    }

    /** The one at the limit is refused for another reason: nothing is there yet. */
    @ParameterizedTest(name = "{0} beyond the highest offset: {1}")
    @CsvSource({"0, WRITE_GAP", "1, INVALID_ARGUMENT"})
    void aDatafileGrowsOnlySoFar(long beyond, FsError expected) throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle datafile = rig.make(IoRig.bytes(1, 100), true);
            byte[] bytes = IoRig.bytes(2, 10);
            Reply reply = rig.ask(
                    Kind.WRITE,
                    IoRig.write(datafile, MOST_OFFSET + beyond, bytes, true).build(),
                    bytes);
            assertThat(reply.error()).isEqualTo(expected);
        }
    }

    /** Rows of a large datafile, written past the server: CHECKSUM reads no data. */
    private static void makeLong(IoRig rig, Handle datafile, long length) throws IOException {
        rig.core().close();
        rig.store = rig.store.reopen();
        try (Overlay overlay = rig.store.overlay()) {
            overlay.put(
                    DatafileTables.DATAFILE,
                    DatafileTables.key(datafile),
                    ByteBuffer.allocate(50)
                            .put((byte) 1)
                            .put((byte) 1)
                            .putLong(IoRig.METAFILE.value())
                            .putInt(0)
                            .putLong(1)
                            .putLong(1)
                            .putLong(0)
                            .putLong(length)
                            .putInt(7)
                            .array());
            for (int group = 0; group < MOST_STRIPS / GROUP_CHUNKS; group++) {
                byte[] key = ByteBuffer.allocate(12)
                        .putLong(datafile.value())
                        .putInt(group)
                        .array();
                overlay.put(DatafileTables.CHUNKS, key, new byte[GROUP_CHUNKS * Integer.BYTES]);
            }
            rig.store.commit(overlay, true);
        }
        rig.start();
    }

    private static Reply checksum(IoRig rig, Handle datafile) {
        return rig.ask(
                Kind.CHECKSUM,
                ChecksumRequest.newBuilder()
                        .setDatafile(datafile.value())
                        .setMetafile(IoRig.METAFILE.value())
                        .setStripSize(CHUNK)
                        .build());
    }

    @Test
    void oneReplyHasChecksumsOfOnlySoManyStrips() throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle datafile = rig.make(IoRig.bytes(1, 100), true);
            makeLong(rig, datafile, (long) MOST_STRIPS * CHUNK);
            ChecksumReply most =
                    (ChecksumReply) IoRig.ok(checksum(rig, datafile)).body();
            assertThat(most.getStripsCount()).isEqualTo(MOST_STRIPS);

            makeLong(rig, datafile, (long) MOST_STRIPS * CHUNK + 1);
            Reply refused = checksum(rig, datafile);
            assertThat(refused.error()).isEqualTo(FsError.TOO_LARGE);
            assertThat(refused.header().getMessage()).contains(datafile.toString(), "1048577 strips", "1048576");
        }
    }

    @Test
    void onlySoManyBytesWaitAtALane() throws IOException {
        try (IoRig rig = new IoRig(IoKeys.LANES.name(), "1", IoKeys.QUEUE_BYTES.name(), "4m")) {
            byte[] half = IoRig.bytes(1, 2 << 20);
            byte[] one = IoRig.bytes(2, 1);
            List<IoRig.Pending> waiting = new ArrayList<>();
            for (int index = 0; index < 2; index++) {
                waiting.add(rig.begin(
                        Kind.WRITE,
                        IoRig.write(Handle.NONE, 0, half, true).setIndex(index).build(),
                        half));
            }
            Reply refused = rig.begin(
                            Kind.WRITE,
                            IoRig.write(Handle.NONE, 0, one, true).setIndex(2).build(),
                            one)
                    .reply();
            assertThat(refused.error()).isEqualTo(FsError.BUSY);
            assertThat(refused.header().getMessage()).contains("bytes waiting");

            rig.core().lanes().runQueued();
            assertThat(waiting).allMatch(each -> each.reply().isOk());
            assertThat(rig.ask(
                                    Kind.WRITE,
                                    IoRig.write(Handle.NONE, 0, one, true)
                                            .setIndex(2)
                                            .build(),
                                    one)
                            .error())
                    .isEqualTo(FsError.OK);
            StatusReply status = (StatusReply) IoRig.ok(rig.ask(Kind.STATUS, StatusRequest.getDefaultInstance()))
                    .body();
            assertThat(status.getCountersMap()).containsEntry("refused.BUSY", 1L);
        }
    }
}
