package io.steadfs.cli.fsck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class WorkDirectoryTest {
    @Test
    void beginsAtThePassThatDidNotEnd(@TempDir Path dir) throws IOException {
        try (WorkDirectory work = WorkDirectory.of(Optional.of(dir))) {
            assertThat(work.firstPass()).isZero();
            Files.createDirectory(work.pass(0));
            assertThat(work.firstPass()).isZero();
            work.ended(0, false);
            work.ended(1, false);
            assertThat(work.firstPass()).isEqualTo(2);
        }
        assertThat(dir).as("was given, and stays").exists();
    }

    @Test
    void oneThatEndedIsNotUsedAgain(@TempDir Path dir) throws IOException {
        try (WorkDirectory work = WorkDirectory.of(Optional.of(dir))) {
            work.ended(0, true);
            assertThatThrownBy(work::firstPass)
                    .isInstanceOf(FileAlreadyExistsException.class)
                    .hasMessageContaining(dir.toString())
                    .hasMessageContaining("another directory");
        }
    }

    @Test
    void aTemporaryOneGoes() throws IOException {
        Path path;
        try (WorkDirectory work = WorkDirectory.of(Optional.empty())) {
            path = work.path();
            Files.createDirectories(work.pass(0));
            Files.writeString(work.pass(0).resolve("a"), "b");
        }
        assertThat(path).doesNotExist();
    }
}
