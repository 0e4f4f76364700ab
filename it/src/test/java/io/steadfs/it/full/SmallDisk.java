package io.steadfs.it.full;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.steadfs.disk.DiskFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A process with a file system of its own on a directory: a tmpfs of a given size, mounted where only that process sees
 * it, in a user and mount namespace that any user may make. This test gets at it by the process's root in {@code /proc}.
 * It goes away with the process.
 */
final class SmallDisk {
    private static final String BALLAST = "ballast";
    private static final int PIECE = 64 << 10;

    private final Path seen;

    private SmallDisk(Path seen) {
        this.seen = seen;
    }

    /** Skips the test where this machine allows no such file system. */
    static void assumePossible(Path directory) throws IOException, InterruptedException {
        Path mountPoint = Files.createDirectories(directory.resolve("trial"));
        Path log = directory.resolve("trial.log");
        Process trial = new ProcessBuilder(confined(mountPoint, 1 << 20, List.of("true")))
                .redirectErrorStream(true)
                .redirectOutput(log.toFile())
                .start();
        boolean ended = trial.waitFor(20, TimeUnit.SECONDS);
        assumeTrue(
                ended && trial.exitValue() == 0,
                () -> "this machine lets no user mount a tmpfs in a namespace of its own: " + text(log));
    }

    private static String text(Path file) {
        try {
            return Files.readString(file, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The command in a namespace in which the directory is a file system of that size. */
    static List<String> confined(Path directory, long sizeBytes, List<String> command) {
        List<String> all = new ArrayList<>(List.of(
                "unshare",
                "--user",
                "--map-root-user",
                "--mount",
                "sh",
                "-c",
                "mount -t tmpfs -o size=$1 tmpfs \"$2\" && shift 2 && exec \"$@\"",
                "sh",
                String.valueOf(sizeBytes),
                directory.toString()));
        all.addAll(command);
        return all;
    }

    /** That of a process that was started so. */
    static SmallDisk of(Process process, Path directory) {
        return new SmallDisk(Path.of("/proc/" + process.pid() + "/root" + directory.toAbsolutePath()));
    }

    long freeBytes() throws IOException {
        return Files.getFileStore(seen).getUsableSpace();
    }

    /** Fills the disk with something else's bytes until no more than so many are free; 0 until nothing more goes in. */
    void fill(long leaveBytes) throws IOException {
        try (FileChannel ballast = FileChannel.open(
                seen.resolve(BALLAST),
                StandardOpenOption.CREATE,
                StandardOpenOption.WRITE,
                StandardOpenOption.APPEND)) {
            while (leaveBytes == 0 || freeBytes() > leaveBytes) {
                ballast.write(ByteBuffer.allocate(PIECE));
            }
        } catch (IOException e) {
            if (!DiskFailure.isNoSpace(e)) {
                throw e;
            }
        }
    }

    /** Takes those bytes away. */
    void clear() throws IOException {
        Files.deleteIfExists(seen.resolve(BALLAST));
    }
}
