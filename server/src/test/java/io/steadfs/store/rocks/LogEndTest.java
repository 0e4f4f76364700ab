package io.steadfs.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Logs with zeros behind their last record, as power losses and damage leave them, at random. */
class LogEndTest {
    private static final int SECTOR = 512;
    private static final long DAMAGED = -1;
    private static final int ROOM = 40_000;

    private final Path log;

    LogEndTest(@TempDir Path directory) {
        this.log = directory.resolve("000001.log");
    }

    /** A log, and where each of its records ends. */
    private static final class Written {
        private final byte[] log;
        private final List<Integer> ends;

        Written(byte[] log, List<Integer> ends) {
            this.log = log;
            this.ends = ends;
        }

        int beforeLast() {
            return ends.get(ends.size() - 2);
        }

        int end() {
            return ends.get(ends.size() - 1);
        }

        byte[] withRoom() {
            return Arrays.copyOf(log, log.length + ROOM);
        }
    }

    private static Written written(Random random) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        List<Integer> ends = new ArrayList<>(List.of(0));
        int records = 1 + random.nextInt(12);
        for (int i = 0; i < records; i++) {
            byte[] record = new byte[12 + random.nextInt(1 << (6 + random.nextInt(11)))];
            random.nextBytes(record);
            if (random.nextInt(4) == 0) {
                Arrays.fill(record, record.length - random.nextInt(12), record.length, (byte) 0);
            }
            out.writeBytes(LogFile.appended(out.size(), record));
            ends.add(out.size());
        }
        return new Written(out.toByteArray(), ends);
    }

    /** Where LogEnd finds the end; -1 = the log is damaged. */
    private long end(byte[] file) throws IOException {
        Files.write(log, file);
        return LogEnd.of(log).orElse(DAMAGED);
    }

    @Test
    void zerosBehindTheLastRecordAreCutOff() throws IOException {
        for (int seed = 0; seed < 500; seed++) {
            Written written = written(new Random(seed));
            assertThat(end(written.withRoom())).as("seed %d", seed).isEqualTo(written.end());
            assertThat(end(written.log)).as("seed %d", seed).isEqualTo(written.end());
        }
        assertThat(end(new byte[ROOM])).isZero();
        assertThat(end(new byte[0])).isZero();
    }

    @Test
    void anUnfinishedRecordIsCutOff() throws IOException {
        for (int seed = 0; seed < 1_000; seed++) {
            Random random = new Random(seed);
            Written written = written(random);
            byte[] file = written.withRoom();
            int first = written.beforeLast() / SECTOR;
            int last = (written.end() - 1) / SECTOR;
            int share = random.nextInt(3);
            for (int sector = first; sector <= last; sector++) {
                if (random.nextInt(4) <= share) {
                    int from = Math.max(written.beforeLast(), sector * SECTOR);
                    Arrays.fill(file, from, Math.min(written.end(), (sector + 1) * SECTOR), (byte) 0);
                }
            }
            boolean isWhole = Arrays.equals(file, written.withRoom());
            assertThat(end(file)).as("seed %d", seed).isEqualTo(isWhole ? written.end() : written.beforeLast());
        }
    }

    @Test
    void aChangedByteIsDamageInTheLastRecordToo() throws IOException {
        for (int seed = 0; seed < 1_000; seed++) {
            Random random = new Random(seed);
            Written written = written(random);
            byte[] file = written.withRoom();
            int at = random.nextBoolean()
                    ? written.beforeLast() + random.nextInt(written.end() - written.beforeLast())
                    : random.nextInt(written.end());
            file[at] ^= (byte) (1 + random.nextInt(255));
            if (LogFile.read(Arrays.copyOf(file, written.end()), record -> {}).isEmpty() || endsInZeros(written)) {
                // The byte belongs to no record, but fills up a block. Or nobody can tell whether the last sector is
                // written.
                continue;
            }
            assertThat(end(file)).as("seed %d, byte %d", seed, at).isEqualTo(DAMAGED);
        }
    }

    private static boolean endsInZeros(Written written) {
        int sector = (written.end() - 1) / SECTOR * SECTOR;
        for (int i = sector; i < written.end(); i++) {
            if (written.log[i] != 0) {
                return false;
            }
        }
        return true;
    }

    @Test
    void aLostSectorBeforeTheLastRecordIsDamage() throws IOException {
        for (int seed = 0; seed < 1_000; seed++) {
            Random random = new Random(seed);
            Written written = written(random);
            int before = written.beforeLast() / SECTOR;
            if (before == 0) {
                continue;
            }
            byte[] file = written.withRoom();
            int sector = random.nextInt(before);
            Arrays.fill(file, sector * SECTOR, (sector + 1) * SECTOR, (byte) 0);
            assertThat(end(file)).as("seed %d, sector %d", seed, sector).isEqualTo(DAMAGED);
        }
    }

    @Test
    void aRecordThatEndsWithTheFileIsLeftToRocksDb() throws IOException {
        Written written = written(new Random(1));
        for (int length = written.beforeLast() + 1; length < written.end(); length++) {
            byte[] file = Arrays.copyOf(written.log, length);
            assertThat(end(file)).as("length %d", length).isIn((long) length, (long) written.beforeLast());
        }
    }

    /** Nobody can tell whether the sector of zeros is what was written. */
    @Test
    void aChangedByteInALastRecordWithASectorOfZerosLooksUnfinished() throws IOException {
        byte[] record = new byte[3_000];
        record[0] = 1;
        record[record.length - 1] = 1;
        byte[] first = LogFile.appended(0, new byte[] {1, 2, 3});
        byte[] last = LogFile.appended(first.length, record);
        byte[] file = Arrays.copyOf(first, first.length + last.length + ROOM);
        System.arraycopy(last, 0, file, first.length, last.length);
        assertThat(end(file)).isEqualTo(first.length + last.length);
        file[first.length + last.length - 1] = 2;
        assertThat(end(file)).isEqualTo(first.length);
    }

    /** Commits that are synced in groups: the disk has any sectors of the last group. */
    @Test
    void aHoleInWhatWasNotSyncedIsCutOff() throws IOException {
        byte[] mark = {4, 'm', 'a', 'r', 'k'};
        for (int seed = 0; seed < 300; seed++) {
            Random random = new Random(seed);
            Written written = written(random);
            int synced = random.nextInt(written.ends.size());
            int from = written.ends.get(synced);
            byte[] file = written.log.clone();
            for (int sector = (from + SECTOR - 1) / SECTOR; sector * SECTOR < file.length; sector++) {
                if (random.nextInt(3) == 0) {
                    Arrays.fill(file, sector * SECTOR, Math.min(file.length, (sector + 1) * SECTOR), (byte) 0);
                }
            }
            Files.write(log, file);
            LogEnd.cutHole(Objects.requireNonNull(log.getParent()), mark);
            byte[] left = Files.readAllBytes(log);
            assertThat(Arrays.copyOf(left, from)).as("seed %d", seed).isEqualTo(Arrays.copyOf(written.log, from));
            int records = whole(left);
            assertThat(records).as("seed %d", seed).isGreaterThanOrEqualTo(synced);
            assertThat(Arrays.copyOf(left, written.ends.get(records)))
                    .as("seed %d: a prefix of what was written", seed)
                    .isEqualTo(Arrays.copyOf(written.log, written.ends.get(records)));
            // What is left behind the prefix is zeros, or a record that ends with the file: RocksDB passes over both.
            int behind = written.ends.get(records);
            boolean isRoom = allZeros(left, behind);
            boolean endsWithFile = behind < left.length && LogFile.claimedEnd(left, place(left, behind)) == left.length;
            assertThat(isRoom || endsWithFile).as("seed %d", seed).isTrue();
        }
    }

    private static int place(byte[] file, int at) {
        return Math.min(LogFile.place(at), file.length - 1);
    }

    private static boolean allZeros(byte[] file, int from) {
        for (int i = from; i < file.length; i++) {
            if (file[i] != 0) {
                return false;
            }
        }
        return true;
    }

    private static int whole(byte[] file) {
        List<byte[]> records = new ArrayList<>();
        LogFile.read(file, records::add);
        return records.size();
    }

    @Test
    void aHoleBeforeANotedSyncIsDamageAndLeftAsItIs() throws IOException {
        byte[] mark = {4, 'm', 'a', 'r', 'k'};
        byte[] large = new byte[3_000];
        Arrays.fill(large, (byte) 1);
        byte[] hole = LogFile.appended(0, large);
        Arrays.fill(hole, SECTOR, 2 * SECTOR, (byte) 0);
        byte[] between = LogFile.appended(hole.length, new byte[] {1, 2, 3});
        byte[] noted = LogFile.appended(hole.length + between.length, mark);
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        file.writeBytes(hole);
        file.writeBytes(between);
        Files.write(log, file.toByteArray());
        Path directory = Objects.requireNonNull(log.getParent());
        assertThat(LogEnd.cutHole(directory, mark)).contains("000001.log from byte 0 to " + file.size());
        assertThat(log).isEmptyFile();
        // The power may go while the note itself is synced.
        file.writeBytes(noted);
        Files.write(log, file.toByteArray());
        assertThat(LogEnd.cutHole(directory, mark)).isPresent();
        file.writeBytes(LogFile.appended(file.size(), new byte[] {4, 5, 6}));
        Files.write(log, file.toByteArray());
        assertThatThrownBy(() -> LogEnd.cutHole(directory, mark))
                .hasMessageContaining("a record is not what was written");
        assertThat(log).hasBinaryContent(file.toByteArray());
    }

    @Test
    void aRecordWhoseLastPartsAreLostIsCutOff() throws IOException {
        byte[] first = LogFile.appended(0, new byte[] {1, 2, 3});
        byte[] record = new byte[LogFile.BLOCK + 5_000];
        Arrays.fill(record, (byte) 1);
        byte[] second = LogFile.appended(first.length, record);
        byte[] file = Arrays.copyOf(first, first.length + second.length);
        System.arraycopy(second, 0, file, first.length, LogFile.BLOCK - first.length);
        Files.write(log, file);
        assertThat(LogEnd.cutHole(Objects.requireNonNull(log.getParent()), new byte[] {4, 'm'}))
                .isPresent();
        assertThat(log).hasBinaryContent(first);
    }

    @Test
    void theNewestLogThatHasAnythingIsCut() throws IOException {
        Written written = written(new Random(1));
        Path directory = Objects.requireNonNull(log.getParent());
        Files.write(log, written.withRoom());
        Files.write(directory.resolve("000007.log"), new byte[ROOM]);
        Files.write(directory.resolve("000012.log"), new byte[0]);
        LogEnd.cutNewest(directory);
        assertThat(log).hasBinaryContent(written.log);
        assertThat(directory.resolve("000007.log")).isEmptyFile();
    }
}
