package io.steadfs.it.full;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.awaitility.Awaitility.await;

import io.steadfs.membership.ServerId;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.Arrays;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import org.apache.hadoop.fs.FSDataInputStream;
import org.apache.hadoop.fs.FSDataOutputStream;
import org.apache.hadoop.fs.FileSystem;
import org.apache.hadoop.fs.Path;
import org.apache.hadoop.util.DiskChecker.DiskOutOfSpaceException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/**
 * A server's disk fills up, with a real file system that is really full. Callers hear what is wrong, what was acknowledged
 * is there meanwhile and afterwards, and the same process serves again when there is space. Once with a reserve, which the
 * disk then falls below, and once with none, so that a write of the server itself meets the full disk.
 */
@Timeout(300)
class DiskFullTest {
    private static final long DISK = 192L << 20;
    private static final long RESERVE = 48L << 20;
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final int SMALL = 20_000;
    private static final int LARGE = 3 << 20;
    /** More attempts than any log allocated beforehand has room for. */
    private static final int MANY = 5_000;
    /** Room for a few bytes, not for a log. */
    private static final long LITTLE = 200_000;

    private final java.nio.file.Path directory;

    /** By path: every file whose close returned, and that was not deleted since. */
    private final Map<Path, byte[]> acknowledged = new TreeMap<>();

    private int made;

    DiskFullTest(@TempDir java.nio.file.Path directory) {
        this.directory = directory;
    }

    @BeforeEach
    void check() throws Exception {
        SmallDisk.assumePossible(directory);
    }

    @AfterEach
    void showLog() throws IOException {
        java.nio.file.Path log = directory.resolve("confined.log");
        if (Files.exists(log)) {
            Files.copy(
                    log,
                    java.nio.file.Path.of("target", "disk-full-" + directory.getFileName() + ".log"),
                    StandardCopyOption.REPLACE_EXISTING);
        }
    }

    private static Map<String, String> reserve(long bytes) {
        return Map.of("stead.disk.reserve", String.valueOf(bytes));
    }

    private static byte[] content(int seed, int size) {
        byte[] bytes = new byte[size];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private Path write(FileSystem fs, int size) throws IOException {
        int number = made++;
        Path path = new Path("/files/f" + number);
        byte[] bytes = content(number, size);
        FSDataOutputStream out = fs.create(path);
        try (out) {
            out.write(bytes);
        }
        acknowledged.put(path, bytes);
        return path;
    }

    private void checkAll(FileSystem fs) throws IOException {
        for (Map.Entry<Path, byte[]> each : acknowledged.entrySet()) {
            byte[] found = new byte[each.getValue().length];
            try (FSDataInputStream in = fs.open(each.getKey())) {
                in.readFully(0, found);
            }
            assertThat(found).as("bytes of %s", each.getKey()).isEqualTo(each.getValue());
            assertThat(fs.getFileStatus(each.getKey()).getLen()).isEqualTo(found.length);
        }
    }

    private void deleteOne(FileSystem fs) throws IOException {
        Path first = acknowledged.keySet().iterator().next();
        assertThat(fs.delete(first, false)).as("delete of %s", first).isTrue();
        acknowledged.remove(first);
    }

    /** A server that just measured a full disk refuses until it measures again. */
    private void roomIsSeen(FileSystem fs) {
        await("writes work again").atMost(SOON).until(() -> catchThrowable(() -> write(fs, SMALL)) == null);
    }

    /** The server has room again: within the time, writes succeed, by a client that knew the full disk and by another. */
    private void servesAgain(ConfinedCluster cluster, FileSystem fs) throws IOException {
        roomIsSeen(fs);
        write(fs, LARGE);
        try (FileSystem fresh = cluster.connect()) {
            write(fresh, LARGE);
            checkAll(fresh);
        }
        checkAll(fs);
        deleteOne(fs);
        await("no problem is left")
                .atMost(SOON)
                .untilAsserted(
                        () -> assertThat(cluster.status().getProblemsList()).isEmpty());
        assertThat(cluster.isAlive()).isTrue();
    }

    @Test
    void anIoServerBelowItsReserve() throws Exception {
        try (ConfinedCluster cluster = new ConfinedCluster(directory, ServerId.io(1), DISK, reserve(RESERVE));
                FileSystem fs = cluster.connect()) {
            write(fs, SMALL);
            write(fs, LARGE);
            write(fs, SMALL);
            cluster.disk().fill(RESERVE / 2);

            await("the server notices")
                    .atMost(SOON)
                    .untilAsserted(() -> assertThat(catchThrowable(() -> write(fs, SMALL)))
                            .isInstanceOf(DiskOutOfSpaceException.class)
                            .hasMessageContaining("IO server 1")
                            .hasMessageContaining("small-disk/data")
                            .hasMessageContaining("bytes free")
                            .hasMessageContaining(RESERVE + " in reserve"));
            assertThat(catchThrowable(() -> write(fs, LARGE))).isInstanceOf(DiskOutOfSpaceException.class);
            java.nio.file.Path local = Files.write(directory.resolve("local"), content(7, LARGE));
            Map.Entry<Integer, String> put = cluster.shell("-put", local.toString(), "/files/put");
            assertThat(put.getKey()).isEqualTo(1);
            assertThat(put.getValue()).contains("IO server 1", "bytes free");
            assertThat(cluster.status().getProblemsList()).anyMatch(line -> line.contains("stores nothing new"));
            checkAll(fs);
            deleteOne(fs);

            cluster.disk().clear();
            servesAgain(cluster, fs);
            assertThat(cluster.status().getCountersMap()).containsEntry("store.reopened", 0L);
        }
    }

    @Test
    void anIoServerWhoseStoreMeetsTheFullDisk() throws Exception {
        try (ConfinedCluster cluster = new ConfinedCluster(directory, ServerId.io(1), DISK, reserve(0));
                FileSystem fs = cluster.connect()) {
            write(fs, SMALL);
            write(fs, LARGE);
            cluster.disk().fill(0);
            // The file of a large one finds no room, and is taken back.
            assertThat(catchThrowable(() -> write(fs, LARGE)))
                    .isInstanceOf(DiskOutOfSpaceException.class)
                    .hasMessageContaining("IO server 1")
                    .hasMessageContaining("bytes free");
            checkAll(fs);

            cluster.disk().clear();
            roomIsSeen(fs);
            write(fs, LARGE);
            Path grown = new Path("/files/grown");
            byte[] durable = growUntilTheStoreFails(cluster, fs, grown);
            checkAll(fs);
            checkBegin(fs, grown, durable);
            assertThat(catchThrowable(() -> write(fs, SMALL)))
                    .isInstanceOf(DiskOutOfSpaceException.class)
                    .hasMessageContaining("IO server 1")
                    .hasMessageContaining("No space left on device");

            cluster.disk().clear();
            servesAgain(cluster, fs);
            checkBegin(fs, grown, durable);
            assertThat(cluster.status().getCountersOrThrow("store.reopened")).isPositive();
        }
    }

    /** Soon after the failed commit: first its lane stops, then the store is closed, to be opened again. */
    private static void saysThatItWaits(ConfinedCluster cluster) {
        await("the server waits for space")
                .atMost(SOON)
                .untilAsserted(() -> assertThat(cluster.status().getProblemsList())
                        .anyMatch(
                                line -> line.contains("waits for space") && line.contains("No space left on device")));
    }

    private static void checkBegin(FileSystem fs, Path path, byte[] expected) throws IOException {
        byte[] found = new byte[expected.length];
        try (FSDataInputStream in = fs.open(path)) {
            in.readFully(0, found);
        }
        assertThat(found).as("bytes of %s that were synced", path).isEqualTo(expected);
    }

    /**
     * Appends single bytes to a file that the store keeps, each made durable: they need next to no room on the disk, but
     * the store's log takes the whole of the small data each time. Until a commit of the store fails.
     *
     * @return the bytes whose hsync returned
     */
    private static byte[] growUntilTheStoreFails(ConfinedCluster cluster, FileSystem fs, Path path) throws IOException {
        byte[] bytes = content(11, 60_000 + MANY);
        int durable = 0;
        FSDataOutputStream out = fs.create(path);
        try {
            out.write(bytes, 0, 60_000);
            out.hsync();
            for (durable = 60_000; durable < 60_000 + MANY; durable++) {
                cluster.disk().fill(LITTLE);
                out.write(bytes, durable, 1);
                out.hsync();
            }
        } catch (IOException e) {
            saysThatItWaits(cluster);
            return Arrays.copyOf(bytes, durable);
        } finally {
            // The file stays open: its writer was told, and ends with its session.
            var unused = catchThrowable(out::close);
        }
        throw new AssertionError("no commit failed on the full disk");
    }

    @Test
    void aMetadataServerBelowItsReserve() throws Exception {
        try (ConfinedCluster cluster = new ConfinedCluster(directory, ServerId.mds(1), DISK, reserve(RESERVE));
                FileSystem fs = cluster.connect()) {
            write(fs, SMALL);
            write(fs, LARGE);
            write(fs, SMALL);
            cluster.disk().fill(RESERVE / 2);

            await("the server notices")
                    .atMost(SOON)
                    .untilAsserted(() -> assertThat(catchThrowable(() -> write(fs, SMALL)))
                            .isInstanceOf(DiskOutOfSpaceException.class)
                            .hasMessageContaining("metadata server 1")
                            .hasMessageContaining("small-disk/data")
                            .hasMessageContaining("bytes free")
                            .hasMessageContaining(RESERVE + " in reserve"));
            assertThat(catchThrowable(() -> fs.mkdirs(new Path("/more")))).isInstanceOf(DiskOutOfSpaceException.class);
            Map.Entry<Integer, String> mkdir = cluster.shell("-mkdir", "/made");
            assertThat(mkdir.getKey()).isEqualTo(1);
            assertThat(mkdir.getValue()).contains("metadata server 1", "bytes free");
            assertThat(cluster.status().getProblemsList()).anyMatch(line -> line.contains("stores nothing new"));
            checkAll(fs);
            deleteOne(fs);

            cluster.disk().clear();
            servesAgain(cluster, fs);
            assertThat(cluster.status().getCountersMap()).containsEntry("store.reopened", 0L);
        }
    }

    @Test
    void aMetadataServerWhoseLogMeetsTheFullDisk() throws Exception {
        try (ConfinedCluster cluster = new ConfinedCluster(directory, ServerId.mds(1), DISK, reserve(0));
                FileSystem fs = cluster.connect()) {
            write(fs, SMALL);
            write(fs, LARGE);
            cluster.disk().fill(0);
            fillUpNames(cluster, fs);
            checkAll(fs);
            assertThat(catchThrowable(() -> fs.create(new Path("/late")).close()))
                    .isInstanceOf(DiskOutOfSpaceException.class)
                    .hasMessageContaining("No space left on device");

            cluster.disk().clear();
            servesAgain(cluster, fs);
            assertThat(catchThrowable(() -> fs.getFileStatus(new Path("/late"))))
                    .as("what was refused was not done")
                    .isInstanceOf(FileNotFoundException.class);
            assertThat(cluster.status().getCountersOrThrow("store.reopened")).isPositive();
        }
    }

    /** Names with large xattrs until the log has no room; those acknowledged stay. */
    private void fillUpNames(ConfinedCluster cluster, FileSystem fs) throws IOException {
        byte[] value = content(3, 30_000);
        Path marked = acknowledged.keySet().iterator().next();
        for (int i = 0; i < MANY; i++) {
            int number = i;
            Throwable failure = catchThrowable(() -> fs.setXAttr(marked, "user.x" + number % 2, value));
            if (failure != null) {
                assertThat(failure).isInstanceOf(IOException.class);
                saysThatItWaits(cluster);
                return;
            }
            cluster.disk().fill(0);
        }
        throw new AssertionError("no append failed on the full disk");
    }
}
