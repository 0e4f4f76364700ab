package io.steadfs.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.config.Settings;
import io.steadfs.store.Damage;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.ByteBuffer;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Zeros in RocksDB's log: what RocksDB makes of them, what crashes leave of them. */
class LogRoomTest {
    private static final Table ROWS = new Table("rows");
    private static final List<Table> TABLES = List.of(ROWS);
    private static final int SECTOR = 512;

    private final Path directory;

    LogRoomTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private static RocksStore open(Path place) throws IOException {
        return RocksStore.openShard(place, TABLES, Settings.defaults(), 1 << 20);
    }

    private static byte[] key(int row) {
        return ByteBuffer.allocate(4).putInt(row).array();
    }

    private static void commit(RocksStore store, int row, int bytes, boolean sync) throws IOException {
        byte[] value = new byte[bytes];
        new Random(row).nextBytes(value);
        try (Overlay overlay = store.overlay()) {
            overlay.put(ROWS, key(row), value);
            store.commit(overlay, sync);
        }
    }

    private static int rows(RocksStore store) {
        int rows = 0;
        try (ReadView.Cursor all = store.committed().scan(ROWS, new byte[0], new byte[] {-1})) {
            while (all.next()) {
                assertThat(all.key()).isEqualTo(key(rows));
                rows++;
            }
        }
        return rows;
    }

    /** The files as they are while the store runs and nothing is committed: all that a kill of the process leaves. */
    private Path crashed(String name) throws IOException {
        Path copy = Files.createDirectory(directory.resolve(name));
        // A flush may be under way. It first makes a table, then notes it, and then removes the log.
        for (String suffix : List.of("log", "[0-9A-Z]", "sst")) {
            try (DirectoryStream<Path> files = Files.newDirectoryStream(directory.resolve("store"), "*" + suffix)) {
                for (Path file : files) {
                    Files.copy(file, copy.resolve(file.getFileName()));
                }
            }
        }
        return copy;
    }

    /** A power loss in a store that syncs in groups: it opens with what was synced, and a prefix of the rest. */
    @Test
    void aStoreThatSyncsInGroupsOpensWithAHoleInWhatWasNotSynced() throws IOException {
        byte[] mark = {4, 'm', 'a', 'r', 'k'};
        Path store = directory.resolve("store");
        int synced = 40;
        Path crashed;
        long bytes;
        try (RocksStore open = RocksStore.openGrouped(store, TABLES, Settings.defaults(), mark)) {
            for (int row = 0; row < synced; row++) {
                commit(open, row, 1_000, row == synced - 1);
            }
            bytes = Files.size(log(store));
            for (int row = synced; row < 2 * synced; row++) {
                commit(open, row, 1_000, false);
            }
            crashed = crashed("crashed");
        }
        Path log = log(crashed);
        byte[] file = Files.readAllBytes(log);
        assertThat(file.length).isGreaterThan((int) bytes + 3 * 4096);
        int hole = (int) (bytes / 4096 + 2) * 4096;
        Arrays.fill(file, hole, hole + 4096, (byte) 0);
        Files.write(log, file);
        Path asEver = copy(crashed, "as ever");
        assertThatThrownBy(() -> RocksStore.open(asEver, TABLES, Settings.defaults()))
                .hasMessageContaining("checksum mismatch");
        try (RocksStore open = RocksStore.openGrouped(crashed, TABLES, Settings.defaults(), mark)) {
            assertThat(rows(open)).isBetween(synced, synced + 8);
        }
    }

    private Path copy(Path store, String name) throws IOException {
        Path copy = Files.createDirectory(directory.resolve(name));
        try (DirectoryStream<Path> files = Files.newDirectoryStream(store)) {
            for (Path file : files) {
                Files.copy(file, copy.resolve(file.getFileName()));
            }
        }
        return copy;
    }

    private static Path log(Path store) throws IOException {
        return LogRoom.logs(store).get(0);
    }

    private static int end(Path log) throws IOException {
        return (int) LogEnd.of(log).orElseThrow();
    }

    private static void write(Path log, int at, byte[] bytes) throws IOException {
        try (RandomAccessFile file = new RandomAccessFile(log.toFile(), "rw")) {
            file.seek(at);
            file.write(bytes);
        }
    }

    @Test
    void recordsAreWrittenOverZerosAndAreThereAfterACrash() throws IOException {
        try (RocksStore store = open(directory.resolve("store"))) {
            for (int row = 0; row < 300; row++) {
                commit(store, row, 100, true);
            }
            Path log = log(directory.resolve("store"));
            assertThat(log).hasSize(end(firstRecord(log)) + (long) LogRoom.STEP);
            Path crashed = crashed("crashed");
            try (RocksStore again = open(crashed)) {
                assertThat(rows(again)).isEqualTo(300);
                commit(again, 300, 100, true);
                assertThat(rows(again)).isEqualTo(301);
            }
        }
        assertThat(log(directory.resolve("store")).toFile().length())
                .as("a clean stop leaves no zeros")
                .isLessThan(LogRoom.STEP);
        try (RocksStore again = open(directory.resolve("store"))) {
            assertThat(rows(again)).isEqualTo(300);
        }
    }

    /** The log as it was when zeros were added for the first time: with its first record. */
    private Path firstRecord(Path log) throws IOException {
        byte[] file = Files.readAllBytes(log);
        return Files.write(directory.resolve("first"), Arrays.copyOf(file, LogFile.partAt(file, 0)));
    }

    @Test
    void logsFollowEachOtherAndZerosAreAddedAgain() throws IOException {
        try (RocksStore store = open(directory.resolve("store"))) {
            for (int row = 0; row < 1_000; row++) {
                commit(store, row, 20_000, true);
                if (row % 100 == 99) {
                    try (RocksStore again = open(crashed("crashed" + row))) {
                        assertThat(rows(again)).isEqualTo(row + 1);
                    }
                }
            }
        }
        try (RocksStore again = open(directory.resolve("store"))) {
            assertThat(rows(again)).isEqualTo(1_000);
        }
    }

    @Test
    void aCommitThatDidNotEndIsNotThereAtAll() throws IOException {
        try (RocksStore store = open(directory.resolve("store"))) {
            for (int row = 0; row < 10; row++) {
                commit(store, row, 100, true);
            }
            int before = end(log(directory.resolve("store")));
            commit(store, 10, 90_000, true);
            int end = end(log(directory.resolve("store")));
            assertThat(end).isGreaterThan(before + 90_000);
            Random random = new Random(1);
            for (int i = 0; i < 20; i++) {
                Path torn = crashed("torn" + i);
                for (int lost = i % 3; lost >= 0; lost--) {
                    int sector = before / SECTOR + random.nextInt((end - 1) / SECTOR - before / SECTOR + 1);
                    int from = Math.max(before, sector * SECTOR);
                    write(log(torn), from, new byte[Math.min(end, (sector + 1) * SECTOR) - from]);
                }
                try (RocksStore again = open(torn)) {
                    assertThat(rows(again)).as("try %d", i).isEqualTo(10);
                    commit(again, 10, 100, true);
                    assertThat(rows(again)).isEqualTo(11);
                }
            }
        }
    }

    @Test
    void damageStopsTheStart() throws IOException {
        try (RocksStore store = open(directory.resolve("store"))) {
            for (int row = 0; row < 20; row++) {
                commit(store, row, 3_000, true);
            }
            int end = end(log(directory.resolve("store")));
            changed("first", 1_000, new byte[] {1, 2, 3});
            changed("last", end - 1_000, new byte[] {1, 2, 3});
            changed("sector", 10 * SECTOR, new byte[SECTOR]);
        }
    }

    private void changed(String name, int at, byte[] bytes) throws IOException {
        Path copy = crashed(name);
        write(log(copy), at, bytes);
        assertThatThrownBy(() -> open(copy).close())
                .as(name)
                .isInstanceOf(IOException.class)
                .hasMessageContaining(copy.toString())
                .hasMessageContaining(Damage.HELP);
    }

    /** RocksDB alone passes over zeros where a record should begin, and over all records behind it in the block. */
    @Test
    void aLostSectorWhereARecordBeginsStopsTheStart() throws IOException {
        Path place = directory.resolve("store");
        int begin = 3 * SECTOR;
        try (RocksStore store = open(place)) {
            commit(store, 0, 100, true);
            int first = end(log(place));
            commit(store, 1, 200, true);
            int second = end(log(place));
            int beside = second - first - 200;
            commit(store, 2, begin - second - beside, true);
            assertThat(end(log(place))).isEqualTo(begin);
            for (int row = 3; row < 8; row++) {
                commit(store, row, 600, true);
            }
            changed("lost", begin, new byte[SECTOR]);
            // With a crash in the next commit too.
            int end = end(log(place));
            commit(store, 8, 5_000, true);
            Path torn = crashed("torn");
            write(log(torn), begin, new byte[SECTOR]);
            write(log(torn), (end / SECTOR + 2) * SECTOR, new byte[SECTOR]);
            assertThatThrownBy(() -> open(torn).close()).hasMessageContaining(Damage.HELP);
        }
        for (String name : List.of("lost", "torn")) {
            Path damaged = directory.resolve(name);
            assertThat(salvage(damaged).text()).as(name).contains("is damaged").contains("changes there are lost");
            try (RocksStore again = open(damaged)) {
                assertThat(rows(again)).as(name).isEqualTo(3);
            }
        }
    }

    private static SalvageReport salvage(Path place) throws IOException {
        AtomicReference<SalvageReport> report = new AtomicReference<>();
        var unused = StoreSalvage.run(place, TABLES, Settings.defaults(), (rows, told) -> {}, report::set);
        return Objects.requireNonNull(report.get());
    }

    @Test
    void aSalvageTakesAllButACommitThatDidNotEnd() throws IOException {
        Path place = directory.resolve("store");
        try (RocksStore store = open(place)) {
            for (int row = 0; row < 10; row++) {
                commit(store, row, 100, true);
            }
        }
        try (RocksStore store = open(place)) {
            for (int row = 0; row < 20; row++) {
                commit(store, row, 100, true);
            }
            int end = end(log(place));
            commit(store, 20, 5_000, true);
            for (String name : List.of("sound", "damaged")) {
                Path torn = crashed(name);
                write(log(torn), (end / SECTOR + 2) * SECTOR, new byte[SECTOR]);
            }
        }
        Path sound = directory.resolve("sound");
        assertThat(salvage(sound).text()).startsWith("rows ").contains(" 20 rows");
        Path damaged = directory.resolve("damaged");
        try (DirectoryStream<Path> tables = Files.newDirectoryStream(damaged, "*.sst")) {
            for (Path table : tables) {
                // In a block of rows: the file can be opened.
                write(table, 50, new byte[] {1, 2, 3});
            }
        }
        SalvageReport report = salvage(damaged);
        assertThat(report.isSound()).isFalse();
        assertThat(report.text()).contains(".sst").doesNotContain("log ");
        for (Path each : List.of(sound, damaged)) {
            try (RocksStore again = open(each)) {
                assertThat(rows(again)).as(each.toString()).isEqualTo(20);
            }
        }
    }

    @Test
    void onlyShardsHaveZeros() throws IOException {
        Path place = directory.resolve("store");
        try (RocksStore store = RocksStore.open(place, TABLES, Settings.defaults(), 1 << 20)) {
            commit(store, 0, 100, true);
            Path log = log(place);
            assertThat(log).hasSize(end(log));
            commit(store, 1, 100, false);
            assertThat(store.syncs()).isEqualTo(1);
            // Another process that opens the store leaves the log as it is, before it finds the store locked too.
            write(log, (int) Files.size(log), new byte[SECTOR]);
            long size = Files.size(log);
            assertThatThrownBy(() -> RocksStore.open(place, TABLES, Settings.defaults(), 1 << 20))
                    .hasMessageContaining("in use");
            assertThat(log).hasSize(size);
        }
    }

    @Test
    void whenNoMoreZerosCanBeAddedTheOthersAreStillThere() throws IOException {
        Path log = Files.createFile(directory.resolve("000001.log"));
        try (LogRoom room = new LogRoom(directory)) {
            room.committed(100);
            assertThat(log).hasSize(LogRoom.STEP);
            // A log that nobody can write to.
            Files.createDirectory(directory.resolve("000002.log"));
            for (int commit = 0; commit < 100; commit++) {
                room.committed(LogRoom.STEP);
                assertThat(room.hasZeros()).isTrue();
            }
            assertThat(log.toFile().length()).isLessThan(100L * LogRoom.STEP);
        }
    }

    @Test
    void whereZerosAreEveryCommitIsSynced() throws IOException {
        try (RocksStore store = open(directory.resolve("store"))) {
            commit(store, 0, 100, false);
            assertThat(store.syncs()).isZero();
            commit(store, 1, 100, true);
            commit(store, 2, 100, false);
            assertThat(store.syncs()).isEqualTo(2);
        }
    }
}
