package io.steadfs.ioserver;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.ioserver.file.FaultyDataFiles;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.DatafileState;
import io.steadfs.wire.proto.WriteReply;
import io.steadfs.wire.proto.WriteRequest;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Random writes, repeats, reads, syncs, truncates, removals, disk failures and crashes, compared with arrays of bytes.
 * After a crash every byte that was acknowledged as synced is there, the rest is a prefix of what was written, and
 * checksums match everywhere.
 */
final class CrashModelTest {
    private static final int COLUMNS = 6;
    private static final int STEPS = 600;

    /** What the writer of a column knows. */
    private static final class Column {
        Handle datafile = Handle.NONE;
        long generation = 1;
        byte[] written = new byte[0];
        /** Bytes that must survive. */
        int synced;
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4, 5, 6, 7, 8})
    void whatWasSyncedIsThere(long seed) throws IOException {
        Random random = new Random(seed);
        // Some bounds so low that datafiles are dropped from memory all the time.
        try (IoRig rig = new IoRig(
                IoKeys.LANES.name(),
                String.valueOf(1 + random.nextInt(3)),
                IoKeys.SMALL_MAX.name(),
                "40000",
                IoKeys.OPEN_MAX.name(),
                seed % 2 == 0 ? "2" : "1000",
                IoKeys.FILES_OPEN.name(),
                seed % 2 == 0 ? "1" : "1000")) {
            List<Column> columns = new ArrayList<>();
            for (int i = 0; i < COLUMNS; i++) {
                columns.add(new Column());
            }
            for (int step = 0; step < STEPS; step++) {
                int index = random.nextInt(COLUMNS);
                Column column = columns.get(index);
                String where = "seed " + seed + " step " + step + " column " + index;
                int dice = random.nextInt(100);
                if (dice < 60) {
                    write(rig, column, index, random, where);
                } else if (dice < 75) {
                    check(rig, column, where);
                } else if (dice < 82) {
                    sync(rig, column, where);
                } else if (dice < 86) {
                    truncate(rig, column, random, where);
                } else if (dice < 89) {
                    remove(rig, column, where);
                } else if (dice < 93) {
                    failSome(rig, random);
                } else if (dice < 94) {
                    failCommit(rig, column, index, random, where);
                    rig.crash(random);
                    forgetUnsynced(rig, columns, where);
                } else if (dice < 97) {
                    rig.set(IoKeys.LANES.name(), String.valueOf(1 + random.nextInt(5)));
                    rig.restart();
                    forgetUnsynced(rig, columns, where);
                } else {
                    rig.crash(random);
                    forgetUnsynced(rig, columns, where);
                }
            }
            rig.crash(random);
            forgetUnsynced(rig, columns, "seed " + seed + " at the end");
            for (Column column : columns) {
                check(rig, column, "seed " + seed + " at the end");
            }
            Set<Handle> known = new HashSet<>();
            columns.forEach(column -> known.add(column.datafile));
            assertThat(known).as("files without a datafile, seed %d", seed).containsAll(rig.disk.names());
        }
    }

    private static void write(IoRig rig, Column column, int index, Random random, String where) {
        int length = column.written.length;
        int back = random.nextInt(4) == 0 ? random.nextInt(length + 1) : 0;
        int fresh = random.nextInt(10) == 0 ? random.nextInt(300_000) : random.nextInt(5_000);
        if (length > 1_500_000) {
            fresh = 0;
        }
        byte[] bytes = new byte[back + fresh];
        random.nextBytes(bytes);
        System.arraycopy(column.written, length - back, bytes, 0, back);
        boolean sync = random.nextInt(3) == 0;
        WriteRequest request = IoRig.write(column.datafile, length - back, bytes, sync)
                .setIndex(index)
                .setWriteGeneration(column.generation)
                .build();
        if (column.datafile.isNone() && length > 0) {
            throw new AssertionError(where + ": bytes without a datafile");
        }
        Reply reply = rig.ask(Kind.WRITE, request, bytes);
        if (reply.isOk()) {
            WriteReply written = (WriteReply) reply.body();
            column.datafile = new Handle(written.getDatafile());
            column.written = Arrays.copyOf(column.written, length + fresh);
            System.arraycopy(bytes, back, column.written, length, fresh);
            assertThat(written.getLength()).as(where).isEqualTo(column.written.length);
            assertThat(written.getSyncedLength()).as(where).isBetween((long) column.synced, written.getLength());
            column.synced = (int) written.getSyncedLength();
            if (sync) {
                assertThat(column.synced).as(where).isEqualTo(column.written.length);
            }
        } else {
            assertThat(reply.error())
                    .as(where + ": " + reply.header().getMessage())
                    .isIn(FsError.NO_SPACE, FsError.IO_ERROR, FsError.WRITE_GAP);
            learn(rig, column, bytes, length - back, where);
        }
    }

    /** After a failed write any part of it, and of earlier un-synced bytes, may be there or not. */
    private static void learn(IoRig rig, Column column, byte[] tried, int offset, String where) {
        if (column.datafile.isNone()) {
            return;
        }
        byte[] possible = Arrays.copyOf(column.written, Math.max(column.written.length, offset + tried.length));
        System.arraycopy(tried, 0, possible, offset, tried.length);
        byte[] there = rig.content(column.datafile);
        assertThat(there.length).as(where).isBetween(column.synced, possible.length);
        assertThat(there).as(where).isEqualTo(Arrays.copyOf(possible, there.length));
        column.written = there;
    }

    private static void check(IoRig rig, Column column, String where) {
        if (column.datafile.isNone()) {
            return;
        }
        byte[] there = rig.content(column.datafile);
        if (there.length < column.written.length) {
            // The lane could not sync what it dropped from memory; the writer learns it at its next write.
            learn(rig, column, new byte[0], 0, where);
        }
        assertThat(there).as(where).isEqualTo(column.written);
        DatafileState state = rig.stat(column.datafile);
        assertThat(state.getLength()).as(where).isEqualTo(there.length);
        assertThat(state.getSyncedLength()).as(where).isBetween((long) column.synced, (long) there.length);
    }

    private static void sync(IoRig rig, Column column, String where) {
        if (column.datafile.isNone()) {
            return;
        }
        DatafileState state = rig.sync(column.datafile, column.generation);
        if (IoRig.errorOf(state) == FsError.OK) {
            assertThat(state.getSyncedLength()).as(where).isEqualTo(state.getLength());
            learn(rig, column, new byte[0], 0, where);
            assertThat(column.written.length).as(where).isEqualTo((int) state.getLength());
            column.synced = column.written.length;
        } else {
            assertThat(IoRig.errorOf(state)).as(where).isIn(FsError.NO_SPACE, FsError.IO_ERROR);
            learn(rig, column, new byte[0], 0, where);
        }
    }

    private static void truncate(IoRig rig, Column column, Random random, String where) {
        if (column.datafile.isNone()) {
            return;
        }
        learn(rig, column, new byte[0], 0, where);
        int length = random.nextInt(column.written.length + 1);
        // As a new writer does, before it writes.
        column.generation++;
        Reply reply = rig.truncate(column.datafile, column.generation, length);
        if (reply.isOk()) {
            column.written = Arrays.copyOf(column.written, length);
            column.synced = length;
        } else {
            assertThat(reply.error())
                    .as(where + ": " + reply.header().getMessage())
                    .isIn(FsError.NO_SPACE, FsError.IO_ERROR);
            learn(rig, column, new byte[0], 0, where);
        }
    }

    private static void remove(IoRig rig, Column column, String where) {
        if (column.datafile.isNone()) {
            return;
        }
        assertThat(rig.remove(column.datafile)).as(where).isEqualTo(1);
        assertThat(rig.remove(column.datafile)).as(where).isZero();
        assertThat(IoRig.errorOf(rig.stat(column.datafile))).as(where).isEqualTo(FsError.NO_SUCH_DATAFILE);
        column.datafile = Handle.NONE;
        column.written = new byte[0];
        column.synced = 0;
    }

    /** The machine stops after the files of a batch are synced, before its rows are. */
    private static void failCommit(IoRig rig, Column column, int index, Random random, String where) {
        byte[] bytes = IoRig.bytes(random.nextLong(), 1 + random.nextInt(100_000));
        WriteRequest request = IoRig.write(column.datafile, column.written.length, bytes, true)
                .setIndex(index)
                .setWriteGeneration(column.generation)
                .build();
        rig.store.failNextCommit();
        Reply reply = rig.ask(Kind.WRITE, request, bytes);
        assertThat(reply.error()).as(where).isIn(FsError.IO_ERROR, FsError.NO_SPACE, FsError.WRITE_GAP);
    }

    private static void failSome(IoRig rig, Random random) {
        FaultyDataFiles.Step[] steps = {
            FaultyDataFiles.Step.CREATE,
            FaultyDataFiles.Step.WRITE,
            FaultyDataFiles.Step.SYNC,
            FaultyDataFiles.Step.SYNC_DIRECTORY,
            FaultyDataFiles.Step.TRUNCATE,
            FaultyDataFiles.Step.DELETE
        };
        rig.disk.failAfter(
                steps[random.nextInt(steps.length)],
                random.nextInt(2),
                random.nextBoolean() ? FaultyDataFiles.noSpace() : FaultyDataFiles.broken());
    }

    private static void forgetUnsynced(IoRig rig, List<Column> columns, String where) {
        for (Column column : columns) {
            learn(rig, column, new byte[0], 0, where);
            column.synced = column.written.length;
            if (!column.datafile.isNone()) {
                DatafileState state = rig.stat(column.datafile);
                assertThat(state.getSyncedLength()).as(where).isEqualTo(state.getLength());
            }
        }
    }
}
