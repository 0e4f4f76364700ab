package io.steadfs.webui.audit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.FileInputStream;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
    private static final int MOST_BYTES = 1_000;
    private static final int FILES = 16;
    private static final Duration SOON = Duration.ofSeconds(30);

    private final Path directory;

    AuditLogTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private AuditLog open() throws IOException {
        return AuditLog.in(directory, MOST_BYTES);
    }

    private static void add(AuditLog log, long at) throws IOException {
        log.add(at, "admin", "operator", "127.0.0.1", "revoke", "lease " + at, "done");
    }

    private static List<Long> numbers(AuditLog log) throws IOException {
        return log.before(0, "", 100_000).stream().map(AuditLog.Entry::number).toList();
    }

    /** From the newest down. */
    private static List<Long> countdown(long newest, int count) {
        return LongStream.range(0, count).mapToObj(i -> newest - i).toList();
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> all = Files.list(directory)) {
            return new ArrayList<>(all.sorted().toList());
        }
    }

    @Test
    void oldFilesArePutAsideAndTheOldestGo() throws IOException {
        int lines = 400;
        try (AuditLog log = open()) {
            for (int i = 1; i <= lines; i++) {
                add(log, i);
            }
            assertThat(files()).hasSize(FILES).contains(directory.resolve("audit.log.15"));
            for (Path each : files()) {
                assertThat(Files.size(each)).as(each.toString()).isBetween(1L, (long) MOST_BYTES);
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(each)))
                        .isEqualTo("rw-------");
            }
            List<Long> numbers = numbers(log);
            assertThat(numbers).hasSizeBetween(FILES, lines - 1).isEqualTo(countdown(lines, numbers.size()));
            assertThat(log.before(380, "lease 37", 3))
                    .extracting(AuditLog.Entry::number)
                    .containsExactly(379L, 378L, 377L);
        }
    }

    @Test
    void numbersGoOnAfterAStart() throws IOException {
        for (int i = 1; i <= 40; i++) {
            try (AuditLog log = open()) {
                add(log, i);
            }
        }
        try (AuditLog log = open()) {
            assertThat(numbers(log)).isEqualTo(countdown(40, 40));
        }
    }

    /** Each state that a process leaves which ends while it puts a file aside. */
    @Test
    void aProcessMayEndAtAnyStep() throws IOException {
        try (AuditLog log = open()) {
            for (int i = 1; i <= 30; i++) {
                add(log, i);
            }
        }
        assertThat(files()).hasSizeGreaterThan(3);
        // All have moved but the newest.
        for (int age = 10; age > 0; age--) {
            Path from = directory.resolve("audit.log." + age);
            if (Files.exists(from)) {
                Files.move(from, directory.resolve("audit.log." + (age + 1)));
            }
        }
        try (AuditLog log = open()) {
            assertThat(numbers(log)).isEqualTo(countdown(30, 30));
        }
        // The newest too, and a new one was not made.
        Files.move(
                directory.resolve("audit.log"), directory.resolve("audit.log.1"), StandardCopyOption.REPLACE_EXISTING);
        try (AuditLog log = open()) {
            assertThat(numbers(log)).isEqualTo(countdown(30, 30));
            for (int i = 31; i <= 60; i++) {
                add(log, i);
            }
            assertThat(numbers(log)).isEqualTo(countdown(60, 60));
        }
    }

    /** Tried again and again, it takes nothing of what is there. */
    @Test
    void aNewFileThatCannotBeMadeLeavesTheOthersAsTheyAre() throws IOException {
        try (AuditLog log = open()) {
            for (int i = 1; i <= 30; i++) {
                add(log, i);
            }
            Path obstacle = Files.createDirectory(directory.resolve("audit.log.next"));
            int kept = 30;
            int refused = 0;
            while (refused < 20) {
                try {
                    add(log, kept + 1);
                    kept++;
                } catch (IOException e) {
                    refused++;
                }
            }
            assertThat(numbers(log)).isEqualTo(countdown(kept, kept));
            Files.delete(obstacle);
            add(log, kept + 1);
            assertThat(numbers(log)).isEqualTo(countdown(kept + 1, kept + 1));
        }
    }

    /** One file is a pipe of which nothing more comes, so that whoever reads it stands still. */
    @Test
    void whoWritesDoesNotWaitForWhoReads() throws Exception {
        ExecutorService others = Executors.newFixedThreadPool(2);
        try (AuditLog log = open()) {
            add(log, 1);
            add(log, 2);
            Path pipe = directory.resolve("audit.log.1");
            assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor())
                    .isZero();
            Future<List<Long>> reading;
            try (RandomAccessFile sender = new RandomAccessFile(pipe.toFile(), "rw");
                    FileInputStream left = new FileInputStream(pipe.toFile())) {
                sender.write("no line\n".getBytes(StandardCharsets.UTF_8));
                reading = others.submit(() -> numbers(log));
                await().atMost(SOON).until(() -> left.available() == 0);
                for (int i = 3; i <= 30; i++) {
                    int at = i;
                    others.submit(() -> {
                                add(log, at);
                                return at;
                            })
                            .get(SOON.toSeconds(), TimeUnit.SECONDS);
                }
                assertThat(reading.isDone()).isFalse();
                // Files were put aside meanwhile, the pipe too.
                assertThat(files()).hasSizeGreaterThan(3);
            }
            assertThat(reading.get(SOON.toSeconds(), TimeUnit.SECONDS)).isEqualTo(List.of(2L, 1L));
            try (Stream<Path> all = Files.list(directory)) {
                for (Path each : all.filter(file -> !Files.isRegularFile(file)).toList()) {
                    Files.delete(each);
                }
            }
            assertThat(numbers(log)).isEqualTo(countdown(30, 30));
        } finally {
            others.shutdownNow();
        }
    }

    @Test
    void aDirectoryOfAnEarlierReleaseIsClosedToOthers() throws IOException {
        Path open = Files.createDirectory(
                directory.resolve("webui"),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwxr-xr-x")));
        AuditLog.in(open).close();
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(open)))
                .isEqualTo("rwx------");
    }
}
