package io.steadfs.webui.audit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class AuditLogTest {
    private static final int MOST_BYTES = 1_000;
    private static final int FILES = 16;

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
}
