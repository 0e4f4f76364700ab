package io.steadfs.ioserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.DamagedDatafile;
import io.steadfs.wire.proto.ScrubDatafilesReply;
import io.steadfs.wire.proto.ScrubDatafilesRequest;
import io.steadfs.wire.proto.WriteRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ScrubDatafilesTest {
    private static final Handle FIRST = Handle.of(IoRig.SERVER, 0, 1);
    private static final Handle LAST = Handle.of(IoRig.SERVER, Handle.MAX_INCARNATION, Handle.MAX_SEQUENCE);
    private static final int CHUNK = 64 << 10;

    private long bytes;
    private int datafiles;
    private int messages;

    /** A datafile of a column of its own. */
    private static Handle make(IoRig rig, int index, byte[] bytes, boolean sync) {
        WriteRequest write =
                IoRig.write(Handle.NONE, 0, bytes, sync).setIndex(index).build();
        return new Handle(IoRig.written(rig.ask(Kind.WRITE, write, bytes)).getDatafile());
    }

    private static ScrubDatafilesRequest request(Handle first, long offset, Handle last) {
        return ScrubDatafilesRequest.newBuilder()
                .setFirst(first.value())
                .setOffset(offset)
                .setLast(last.value())
                .build();
    }

    private List<DamagedDatafile> scrub(IoRig rig) throws FsException {
        List<DamagedDatafile> damaged = new ArrayList<>();
        bytes = 0;
        datafiles = 0;
        messages = 0;
        ScrubDatafilesRequest next = request(FIRST, 0, LAST);
        while (true) {
            ScrubDatafilesReply reply =
                    IoRig.ok(rig.ask(Kind.SCRUB_DATAFILES, next)).body(ScrubDatafilesReply.class);
            damaged.addAll(reply.getDamagedList());
            bytes += reply.getBytes();
            datafiles += reply.getDatafiles();
            messages++;
            if (!reply.getMore()) {
                return damaged;
            }
            next = request(new Handle(reply.getNext()), reply.getNextOffset(), LAST);
        }
    }

    @Test
    void comparesAllBytesOfAllDatafiles() throws IOException {
        try (IoRig rig = new IoRig()) {
            make(rig, 1, IoRig.bytes(1, 100), true);
            make(rig, 2, IoRig.bytes(2, 300_000), true);
            make(rig, 3, new byte[0], true);
            make(rig, 4, IoRig.bytes(3, 5_000), false);

            assertThat(scrub(rig)).isEmpty();
            assertThat(bytes).isEqualTo(305_100);
            assertThat(datafiles).isGreaterThanOrEqualTo(3);
            assertThat(messages).isEqualTo(1);
        }
    }

    @Test
    void tellsTheFirstBadChunk() throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle file = make(rig, 5, IoRig.bytes(1, 5 * CHUNK + 9), true);
            make(rig, 6, IoRig.bytes(2, 300_000), true);
            rig.disk.flipBit(file, 3 * CHUNK + 5);
            rig.disk.flipBit(file, 4 * CHUNK + 5);

            assertThat(scrub(rig)).singleElement().satisfies(damaged -> {
                assertThat(new Handle(damaged.getDatafile())).isEqualTo(file);
                assertThat(new Handle(damaged.getMetafile())).isEqualTo(IoRig.METAFILE);
                assertThat(damaged.getOffset()).isEqualTo(3L * CHUNK);
                assertThat(damaged.getWhat()).contains("65536 bytes with checksum");
            });
        }
    }

    @Test
    void aFileThatIsTooShortIsDamaged() throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle file = make(rig, 7, IoRig.bytes(1, 2 * CHUNK), true);
            rig.disk.cutBehind(file, CHUNK + 7);

            assertThat(scrub(rig)).singleElement().satisfies(damaged -> {
                assertThat(damaged.getOffset()).isEqualTo(CHUNK);
                assertThat(damaged.getWhat()).contains("65543 bytes");
            });
        }
    }

    @Test
    void smallDataInTheStoreIsComparedToo() throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle small = make(rig, 8, IoRig.bytes(1, 100), true);
            rig.restart();
            var rows = rig.store.overlay();
            byte[] flipped = rows.get(DatafileTables.SMALL, DatafileTables.key(small))
                    .orElseThrow()
                    .clone();
            flipped[99] ^= 1;
            rows.put(DatafileTables.SMALL, DatafileTables.key(small), flipped);
            rig.store.commit(rows, true);

            assertThat(scrub(rig))
                    .singleElement()
                    .extracting(DamagedDatafile::getOffset)
                    .isEqualTo(0L);
        }
    }

    @Test
    void manyBytesTakeSeveralMessages() throws IOException {
        try (IoRig rig = new IoRig()) {
            Handle large = make(rig, 0, IoRig.bytes(1, 4 << 20), true);
            for (int part = 1; part < 10; part++) {
                rig.append(large, (long) part * (4 << 20), IoRig.bytes(part, 4 << 20), true);
            }
            make(rig, 10, IoRig.bytes(2, 100), true);

            assertThat(scrub(rig)).isEmpty();
            assertThat(bytes).isEqualTo((40L << 20) + 100);
            assertThat(messages).isEqualTo(3);
        }
    }

    @Test
    void otherServersHandlesAndOddOffsetsAreRefused() throws IOException {
        try (IoRig rig = new IoRig()) {
            assertThat(rig.ask(Kind.SCRUB_DATAFILES, request(Handle.of(9, 0, 1), 0, LAST))
                            .error())
                    .isEqualTo(FsError.INVALID_ARGUMENT);
            assertThat(rig.ask(Kind.SCRUB_DATAFILES, request(FIRST, 5, LAST)).error())
                    .isEqualTo(FsError.INVALID_ARGUMENT);
            assertThat(rig.ask(Kind.SCRUB_DATAFILES, request(FIRST, -(1L << 16), LAST))
                            .error())
                    .isEqualTo(FsError.INVALID_ARGUMENT);
        }
    }
}
