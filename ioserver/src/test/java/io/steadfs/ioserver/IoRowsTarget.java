package io.steadfs.ioserver;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.fuzz.Bits;
import io.steadfs.fuzz.FuzzTarget;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.datafile.DatafileTables;
import io.steadfs.ioserver.datafile.UnconfirmedDatafiles;
import io.steadfs.logging.QuietLog;
import io.steadfs.rpc.Reply;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.ChecksumRequest;
import io.steadfs.wire.proto.CreateDatafileRequest;
import io.steadfs.wire.proto.StatusRequest;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.random.RandomGenerator;

/**
 * Rows of an IO server's store that hold anything, in a store with a small and a large datafile, and everything that can
 * be asked of these. The server starts on them, answers, never with FAULT, goes on, and has another datafile's bytes.
 *
 * <pre>
 *  0       1            2              3
 * +-------+------------+--------------+-----+-------+-----+
 * | table | key length | value length | key | value | ... |
 * +-------+------------+--------------+-----+-------+-----+
 * </pre>
 */
final class IoRowsTarget implements FuzzTarget {
    private static final int FIXED = 3;
    private static final int SMALL_BYTES = 1000;
    private static final int LARGE_BYTES = 200_000;
    private static final byte[] CONTENT = IoRig.bytes(5, SMALL_BYTES);
    private static final List<Table> TABLES = List.of(
            DatafileTables.DATAFILE,
            DatafileTables.COLUMN,
            DatafileTables.UNCONFIRMED,
            DatafileTables.SMALL,
            DatafileTables.CHUNKS);

    /** A row as a server of ours wrote it. */
    @SuppressWarnings("ArrayRecordComponent")
    private record Row(int table, byte[] key, byte[] value) {}

    /** Stopped, and never changed again. */
    private final IoRig sound = new IoRig();

    private final List<Handle> datafiles = new ArrayList<>();
    private final Handle kept;
    private final List<Row> rows = new ArrayList<>();

    IoRowsTarget() throws IOException {
        datafiles.add(make(0, IoRig.bytes(1, SMALL_BYTES)));
        datafiles.add(make(1, IoRig.bytes(2, LARGE_BYTES)));
        kept = make(77, CONTENT);
        sound.close();
        for (int table = 0; table < TABLES.size(); table++) {
            try (ReadView.Cursor cursor = sound.store.committed().scan(TABLES.get(table), new byte[0], end())) {
                while (cursor.next()) {
                    rows.add(new Row(table, cursor.key(), cursor.value()));
                }
            }
        }
    }

    private Handle make(int index, byte[] bytes) {
        return new Handle(IoRig.written(sound.ask(
                        Kind.WRITE,
                        IoRig.write(Handle.NONE, 0, bytes, true).setIndex(index).build(),
                        bytes))
                .getDatafile());
    }

    private static byte[] end() {
        byte[] end = new byte[20];
        Arrays.fill(end, (byte) -1);
        return end;
    }

    @Override
    public String name() {
        return "io-rows";
    }

    /** A server with its datafiles, and all that it is asked. */
    @Override
    public long mostAllocatedBytes(int inputBytes) {
        return 8 << 20;
    }

    @Override
    public int inputsOfATrial() {
        return 1000;
    }

    @Override
    public byte[] input(RandomGenerator random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        for (int i = random.nextInt(3); i >= 0; i--) {
            Row row = rows.get(random.nextInt(rows.size()));
            byte[] key = random.nextInt(4) == 0 ? spoiled(random, row.key()) : row.key();
            byte[] value = random.nextInt(8) == 0
                    ? rows.get(random.nextInt(rows.size())).value()
                    : random.nextInt(8) == 0 ? Bits.noise(random) : spoiled(random, row.value());
            out.write(random.nextInt(8) == 0 ? random.nextInt(TABLES.size()) : row.table());
            out.write(Math.min(key.length, 0xff));
            out.write(Math.min(value.length, 0xff));
            out.write(key, 0, Math.min(key.length, 0xff));
            out.write(value, 0, Math.min(value.length, 0xff));
        }
        return out.toByteArray();
    }

    private static byte[] spoiled(RandomGenerator random, byte[] bytes) {
        byte[] spoiled = bytes;
        for (int i = random.nextInt(3); i >= 0; i--) {
            spoiled = Bits.spoiledOnce(random, spoiled, bytes);
        }
        return spoiled;
    }

    @Override
    public Trial begin() {
        return new Trial() {
            private final QuietLog quiet = new QuietLog();

            @Override
            public void feed(byte[] input) throws IOException {
                try (IoRig rig = sound.copy()) {
                    new Server(rig).feed(input);
                }
            }

            @Override
            public void close() {
                quiet.close();
            }
        };
    }

    /** A server of one input. */
    private final class Server {
        private final IoRig rig;

        private Server(IoRig rig) {
            this.rig = rig;
        }

        private void feed(byte[] input) throws IOException {
            boolean keptIsNamed = damage(input);
            rig.start();
            ask(Kind.STATUS, StatusRequest.getDefaultInstance(), new byte[0]);
            if (UnconfirmedDatafiles.page(rig.store.committed(), Handle.NONE, 10, madeMillis -> true)
                            .due()
                            .size()
                    > 10) {
                throw new AssertionError("a page is longer than was asked");
            }
            for (int index = 0; index < datafiles.size(); index++) {
                askAll(datafiles.get(index), index);
            }
            if (!keptIsNamed && !Arrays.equals(rig.content(kept), CONTENT)) {
                throw new AssertionError("a datafile that no row is about has other bytes");
            }
            IoRig.ok(rig.ask(
                    Kind.WRITE,
                    IoRig.write(Handle.NONE, 0, CONTENT, true)
                            .setMetafile(Handle.of(Handle.FIRST_SHARD_OWNER + 9, 9, 999_999)
                                    .value())
                            .build(),
                    CONTENT));
            if (rig.core().failure().isPresent()) {
                throw new AssertionError("it stopped: " + rig.core().failure().get());
            }
        }

        /** @return whether one of the rows is about the datafile that is to stay */
        private boolean damage(byte[] input) throws IOException {
            boolean keptIsNamed = false;
            byte[] name = DatafileTables.key(kept);
            try (Overlay overlay = rig.store.overlay()) {
                for (int at = 0; at + FIXED <= input.length; ) {
                    int keyEnd = Math.min(at + FIXED + (input[at + 1] & 0xff), input.length);
                    int valueEnd = Math.min(keyEnd + (input[at + 2] & 0xff), input.length);
                    byte[] key = Arrays.copyOfRange(input, at + FIXED, keyEnd);
                    byte[] value = Arrays.copyOfRange(input, keyEnd, valueEnd);
                    overlay.put(TABLES.get(Math.floorMod(input[at], TABLES.size())), key, value);
                    keptIsNamed |= Arrays.equals(Arrays.copyOf(key, Long.BYTES), name)
                            || Arrays.equals(Arrays.copyOf(value, Long.BYTES), name);
                    at = valueEnd;
                }
                rig.store.commit(overlay, true);
            }
            return keptIsNamed;
        }

        private void askAll(Handle datafile, int index) {
            answered(rig.read(datafile, 0, SMALL_BYTES));
            answered(rig.read(datafile, 100_000, 100_000));
            rig.stat(datafile);
            ask(
                    Kind.CHECKSUM,
                    ChecksumRequest.newBuilder()
                            .setDatafile(datafile.value())
                            .setMetafile(IoRig.METAFILE.value())
                            .setStripSize(1 << 16)
                            .build(),
                    new byte[0]);
            ask(
                    Kind.CREATE_DATAFILE,
                    CreateDatafileRequest.newBuilder()
                            .setMetafile(IoRig.METAFILE.value())
                            .setIndex(index)
                            .setWriteGeneration(1)
                            .build(),
                    new byte[0]);
            write(Handle.NONE, index, 0);
            write(datafile, index, index == 0 ? SMALL_BYTES : LARGE_BYTES);
            rig.sync(datafile, 1);
            rig.seal(datafile, 2);
            answered(rig.truncate(datafile, 2, 70_000));
            answered(rig.truncate(datafile, 2, 0));
            answered(IoRig.removal(rig, datafile));
        }

        private void write(Handle datafile, int index, long offset) {
            ask(
                    Kind.WRITE,
                    IoRig.write(datafile, offset, CONTENT, true).setIndex(index).build(),
                    CONTENT);
        }

        private void ask(Kind kind, MessageLite body, byte[] payload) {
            answered(rig.ask(kind, body, payload));
        }

        private void answered(Reply reply) {
            reply.payload().release();
            if (reply.error() == FsError.FAULT || reply.error() == FsError.UNAVAILABLE) {
                throw new AssertionError(
                        "answered " + reply.error() + ": " + reply.header().getMessage());
            }
        }
    }
}
