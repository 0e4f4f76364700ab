package io.steadfs.it.power;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** What the disks keep and what they forget, by real calls on the mounted file system. */
@Timeout(120)
class DisksTest {
    private static final OptionalLong FORGETS = OptionalLong.empty();

    @TempDir
    Path directory = Path.of("");

    private Disks disks;
    private Path disk;

    @BeforeEach
    void mount() throws Exception {
        Disks.assumePossible(directory);
        disks = Disks.mount(directory);
        disks.make("one");
        disk = disks.seen("one");
    }

    @AfterEach
    void unmount() throws IOException {
        if (disks != null) {
            disks.close();
        }
    }

    private Loss lose(OptionalLong seed) throws IOException {
        disks.cut(List.of("one"));
        disks.refuseWaiting("one");
        return disks.lose("one", seed);
    }

    private static void sync(Path path) throws IOException {
        try (FileChannel channel = FileChannel.open(path, StandardOpenOption.READ)) {
            channel.force(true);
        }
    }

    private Path synced(String name, byte[] bytes) throws IOException {
        Path path = Files.write(disk.resolve(name), bytes);
        sync(path);
        sync(disk);
        return path;
    }

    private static byte[] bytes(long seed, int length) {
        byte[] bytes = new byte[length];
        new Random(seed).nextBytes(bytes);
        return bytes;
    }

    private static Set<String> names(Path directory) throws IOException {
        Set<String> names = new TreeSet<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
            entries.forEach(entry -> names.add(String.valueOf(entry.getFileName())));
        }
        return names;
    }

    @Test
    void nothingThatWasNotSyncedIsLeft() throws IOException {
        Files.write(disk.resolve("file"), bytes(1, 10_000));
        Files.createDirectory(disk.resolve("directory"));
        Loss loss = lose(FORGETS);
        assertThat(names(disk)).isEmpty();
        // A zero byte that is lost is read as a zero all the same, where its file is.
        assertThat(loss.droppedBytes()).isBetween(9_900L, 10_000L);
        assertThat(loss.droppedEntries()).isEqualTo(2);
    }

    @Test
    void aSyncedFileWithoutASyncedNameIsGone() throws IOException {
        Path file = Files.write(disk.resolve("file"), bytes(1, 100));
        sync(file);
        assertThat(lose(FORGETS)).isEqualTo(new Loss(0, 1, 0, 0));
        assertThat(names(disk)).isEmpty();
    }

    @Test
    void aSyncedNameOfAFileThatWasNotSyncedIsEmpty() throws IOException {
        Path file = Files.write(disk.resolve("file"), bytes(1, 100));
        sync(disk);
        lose(FORGETS);
        assertThat(Files.readAllBytes(file)).isEmpty();
    }

    @Test
    void whatWasSyncedStaysAndOnlyThat() throws IOException {
        byte[] before = bytes(1, 3 * FileBytes.PAGE + 17);
        Path file = synced("file", before);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(bytes(2, 50)), 5_000);
            channel.write(ByteBuffer.wrap(bytes(3, 50)), before.length);
        }
        // Also what the kernel has in its cache is not seen after the loss.
        assertThat(Files.readAllBytes(file)).hasSize(before.length + 50).isNotEqualTo(before);
        assertThat(lose(FORGETS).droppedBytes()).isBetween(90L, 100L);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        assertThat(lose(FORGETS)).isEqualTo(Loss.NOTHING);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
    }

    @Test
    void aTruncateIsUndoneUnlessSynced() throws IOException {
        byte[] before = bytes(1, 9_000);
        Path file = synced("file", before);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(100);
            assertThat(Files.size(file)).isEqualTo(100);
        }
        lose(FORGETS);
        assertThat(Files.readAllBytes(file)).isEqualTo(before);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.truncate(100);
            channel.force(false);
            channel.write(ByteBuffer.wrap(new byte[] {1}), 200);
            channel.force(false);
        }
        lose(FORGETS);
        byte[] after = Arrays.copyOf(Arrays.copyOf(before, 100), 201);
        after[200] = 1;
        assertThat(Files.readAllBytes(file)).isEqualTo(after);
    }

    @Test
    void aWriteOfASyncedChannelNeedsNoFsync() throws IOException {
        Path file = synced("file", new byte[0]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.DSYNC)) {
            channel.write(ByteBuffer.wrap(bytes(1, 100)));
        }
        lose(FORGETS);
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes(1, 100));
    }

    @Test
    void aRenameThatReplacesIsUndoneUnlessItsDirectoryWasSynced() throws IOException {
        Path target = synced("target", bytes(1, 10));
        Path source = Files.write(disk.resolve("source"), bytes(2, 20));
        sync(source);
        Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
        assertThat(Files.readAllBytes(target)).isEqualTo(bytes(2, 20));
        lose(FORGETS);
        assertThat(names(disk)).containsExactly("target");
        assertThat(Files.readAllBytes(target)).isEqualTo(bytes(1, 10));

        Files.write(source, bytes(2, 20));
        sync(source);
        Files.move(source, target, StandardCopyOption.ATOMIC_MOVE);
        sync(disk);
        lose(FORGETS);
        assertThat(names(disk)).containsExactly("target");
        assertThat(Files.readAllBytes(target)).isEqualTo(bytes(2, 20));
    }

    @Test
    void aRemovedNameComesBackUnlessItsDirectoryWasSynced() throws IOException {
        Path file = synced("file", bytes(1, 10));
        try (FileChannel open = FileChannel.open(file, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            Files.delete(file);
            open.write(ByteBuffer.wrap(bytes(2, 10)));
            ByteBuffer read = ByteBuffer.allocate(20);
            open.read(read, 0);
            assertThat(read.position()).as("an open file without a name").isEqualTo(10);
            assertThat(Arrays.copyOf(read.array(), 10)).isEqualTo(bytes(2, 10));
            lose(FORGETS);
            assertThatThrownBy(() -> open.write(ByteBuffer.wrap(bytes(3, 10)))).isInstanceOf(IOException.class);
        }
        assertThat(Files.readAllBytes(file)).isEqualTo(bytes(1, 10));
        Files.delete(file);
        sync(disk);
        lose(FORGETS);
        assertThat(names(disk)).isEmpty();
    }

    @Test
    void aDirectoryIsSyncedByItselfAndNotByWhatIsIn() throws IOException {
        Path outer = Files.createDirectory(disk.resolve("outer"));
        Path file = Files.write(outer.resolve("file"), bytes(1, 10));
        sync(file);
        sync(outer);
        lose(FORGETS);
        assertThat(names(disk)).isEmpty();

        Files.createDirectory(outer);
        sync(disk);
        Files.write(file, bytes(1, 10));
        sync(file);
        lose(FORGETS);
        assertThat(names(disk)).containsExactly("outer");
        assertThat(names(outer)).isEmpty();
    }

    /** A kernel that once hears that directories cannot be synced does not ask again, for none. */
    @Test
    void toSyncTheDirectoryOfDisksHarmsNone() throws IOException {
        sync(Optional.ofNullable(disk.getParent()).orElseThrow());
        synced("file", bytes(1, 100));
        lose(FORGETS);
        assertThat(names(disk)).containsExactly("file");
    }

    @Test
    void namesBehaveAsNamesDo() throws IOException {
        Path outer = Files.createDirectory(disk.resolve("outer"));
        Path file = Files.createFile(outer.resolve("file"));
        assertThatThrownBy(() -> Files.createDirectory(outer)).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> Files.createFile(file)).isInstanceOf(FileAlreadyExistsException.class);
        assertThatThrownBy(() -> Files.delete(outer)).isInstanceOf(DirectoryNotEmptyException.class);
        assertThatThrownBy(() -> Files.size(outer.resolve("nothing"))).isInstanceOf(NoSuchFileException.class);
        Files.move(file, disk.resolve("moved"));
        Files.delete(outer);
        assertThat(names(disk)).containsExactly("moved");
        assertThat(Files.isRegularFile(disk.resolve("moved"))).isTrue();
        assertThatThrownBy(() -> Files.createFile(disk.resolveSibling("no-disk")))
                .isInstanceOf(IOException.class);
        assertThat(names(disk.resolveSibling(""))).containsExactly("one");
    }

    @Test
    void aDirectoryOfManyEntriesIsListedWhole() throws IOException {
        Path many = Files.createDirectory(disk.resolve("many"));
        sync(disk);
        Set<String> made = new TreeSet<>();
        for (int i = 0; i < 3_000; i++) {
            String name = "a-file-with-quite-a-long-name-" + i;
            Files.createFile(many.resolve(name));
            made.add(name);
            if (i == 1_999) {
                sync(many);
            }
        }
        assertThat(names(many)).isEqualTo(made);
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(many)) {
            int seen = 0;
            for (Path entry : entries) {
                Files.delete(entry);
                seen++;
            }
            assertThat(seen).as("entries listed while they go").isEqualTo(3_000);
        }
        assertThat(names(many)).isEmpty();
        assertThat(lose(FORGETS).droppedEntries()).isEqualTo(1_000 + 3_000);
        assertThat(names(many)).hasSize(2_000);
    }

    @Test
    void writersAtTheSameTimeDoNotDisturbEachOther() throws Exception {
        int writers = 8;
        int length = 300_000;
        Path shared = Files.createFile(disk.resolve("shared"));
        ExecutorService pool = Executors.newFixedThreadPool(writers);
        try {
            List<Future<?>> tasks = new ArrayList<>();
            for (int i = 0; i < writers; i++) {
                int number = i;
                tasks.add(pool.submit(() -> {
                    byte[] bytes = bytes(number, length);
                    try (FileChannel all = FileChannel.open(shared, StandardOpenOption.WRITE);
                            FileChannel own = FileChannel.open(
                                    disk.resolve("own-" + number),
                                    StandardOpenOption.CREATE,
                                    StandardOpenOption.APPEND)) {
                        for (int at = 0; at < length; at += 1_000) {
                            all.write(ByteBuffer.wrap(bytes, at, 1_000), (long) number * length + at);
                            own.write(ByteBuffer.wrap(bytes, at, 1_000));
                        }
                        own.force(false);
                    }
                    return null;
                }));
            }
            for (Future<?> task : tasks) {
                task.get(60, TimeUnit.SECONDS);
            }
        } finally {
            pool.shutdownNow();
        }
        sync(shared);
        sync(disk);
        lose(FORGETS);
        byte[] all = Files.readAllBytes(shared);
        for (int i = 0; i < writers; i++) {
            assertThat(Arrays.copyOfRange(all, i * length, (i + 1) * length)).isEqualTo(bytes(i, length));
            assertThat(Files.readAllBytes(disk.resolve("own-" + i))).isEqualTo(bytes(i, length));
        }
    }

    @Test
    void roomThatIsOnlyReservedTakesNone() throws IOException {
        Path file = synced("file", new byte[0]);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
            channel.write(ByteBuffer.wrap(new byte[] {7}), 4L << 30);
            channel.force(true);
        }
        lose(FORGETS);
        assertThat(Files.size(file)).isEqualTo((4L << 30) + 1);
        try (FileChannel channel = FileChannel.open(file, StandardOpenOption.READ)) {
            ByteBuffer read = ByteBuffer.allocate(2);
            assertThat(channel.read(read, (4L << 30) - 1)).isEqualTo(2);
            assertThat(read.array()).containsExactly(0, 7);
        }
    }

    /** Over many seeds everything that can happen to things not synced does; what was synced never changes. */
    @Test
    void someDisksKeepSomething() throws IOException {
        byte[] old = bytes(1, 4 * FileBytes.PAGE);
        byte[] fresh = bytes(2, 4 * FileBytes.PAGE);
        Set<String> outcomes = new TreeSet<>();
        Set<Set<String>> listings = new java.util.HashSet<>();
        synced("synced", old);
        for (int seed = 0; seed < 60; seed++) {
            Path file = synced("file", old);
            try (FileChannel channel = FileChannel.open(file, StandardOpenOption.WRITE)) {
                channel.write(ByteBuffer.wrap(fresh), 0);
            }
            Files.createFile(disk.resolve("a"));
            Files.createFile(disk.resolve("b"));
            Files.move(disk.resolve("a"), disk.resolve("c"));
            lose(OptionalLong.of(seed));

            byte[] left = Files.readAllBytes(file);
            assertThat(left).hasSize(old.length);
            for (int page = 0; page < 4; page++) {
                int at = page * FileBytes.PAGE;
                byte[] found = Arrays.copyOfRange(left, at, at + FileBytes.PAGE);
                boolean isOld = Arrays.equals(found, Arrays.copyOfRange(old, at, at + FileBytes.PAGE));
                boolean isFresh = Arrays.equals(found, Arrays.copyOfRange(fresh, at, at + FileBytes.PAGE));
                outcomes.add(isOld ? "old" : isFresh ? "fresh" : "torn");
            }
            Set<String> names = names(disk);
            listings.add(Set.copyOf(names));
            assertThat(names).contains("synced", "file");
            assertThat(names.contains("a") && names.contains("c"))
                    .as("both names of one file")
                    .isFalse();
            assertThat(Files.readAllBytes(disk.resolve("synced"))).isEqualTo(old);
            for (String name : List.of("a", "b", "c")) {
                Files.deleteIfExists(disk.resolve(name));
            }
            sync(disk);
        }
        assertThat(outcomes).containsExactly("fresh", "old", "torn");
        assertThat(listings).as("listings after a loss").hasSizeGreaterThanOrEqualTo(5);
    }

    @Test
    void theSameSeedKeepsTheSame() throws IOException {
        List<byte[]> left = new ArrayList<>();
        for (int run = 0; run < 2; run++) {
            Path file = synced("file", bytes(1, 100_000));
            Files.write(file, bytes(2, 90_000));
            lose(OptionalLong.of(42));
            left.add(Files.readAllBytes(file));
            Files.delete(file);
            sync(disk);
        }
        assertThat(left.get(0)).isEqualTo(left.get(1));
    }

    @Test
    void aDiskThatLiesKeepsNothing() throws IOException {
        disks.lie("one", Disk.Lie.FILES);
        Path file = synced("file", bytes(1, 100));
        lose(FORGETS);
        assertThat(Files.readAllBytes(file)).isEmpty();
        disks.lie("one", Disk.Lie.DIRECTORIES);
        synced("other", bytes(1, 100));
        lose(FORGETS);
        assertThat(names(disk)).containsExactly("file");
    }

    @Test
    void disksLoseTheirPowerByThemselves() throws IOException {
        disks.make("two");
        Path other = Files.write(disks.seen("two").resolve("file"), bytes(1, 100));
        lose(FORGETS);
        assertThat(Files.readAllBytes(other)).isEqualTo(bytes(1, 100));
    }

    /** Who waits while the power is gone is killed, and nothing of what it wanted happened. */
    @Test
    void nothingHappensAfterTheCut() throws Exception {
        synced("file", bytes(1, 10));
        Path within = disks.within("one");
        Path said = directory.resolve("said");
        Process writer = new ProcessBuilder(disks.inside(List.of(
                        "sh",
                        "-c",
                        "echo ready; read go; echo later > " + within + "/file; sync -d " + within + "/file; "
                                + "echo never")))
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        await("the writer runs").until(() -> Files.readString(said).equals("ready\n"));
        disks.cut(List.of("one"));
        writer.outputWriter().write("go\n");
        writer.outputWriter().flush();
        // It waits in the kernel, or is on its way there; either way nobody answers it.
        assertThat(writer.waitFor(300, TimeUnit.MILLISECONDS)).isFalse();
        writer.destroyForcibly();
        disks.refuseWaiting("one");
        assertThat(writer.waitFor(30, TimeUnit.SECONDS)).isTrue();
        assertThat(Files.readString(said)).isEqualTo("ready\n");
        assertThat(disks.lose("one", FORGETS)).isEqualTo(Loss.NOTHING);
        assertThat(Files.readAllBytes(disk.resolve("file"))).isEqualTo(bytes(1, 10));
    }
}
