package io.steadfs.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;

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
