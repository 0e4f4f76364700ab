package io.steadfs.ioserver.file;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.disk.Forced;
import io.steadfs.handle.Handle;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ChannelDataFilesTest {
    private final Path server;
    private final Path data;

    ChannelDataFilesTest(@TempDir Path root) throws IOException {
        server = root.toRealPath().resolve("io-1");
        data = server.resolve("data");
    }

    @Test
    void newDirectoriesAreSynced() throws IOException {
        assertThat(Forced.during(() -> new ChannelDataFiles(data).close())).contains(server.getParent(), server, data);
        try (var directories = Files.list(data)) {
            assertThat(directories).hasSize(256).allMatch(Files::isDirectory);
        }
    }

    @Test
    void onlyItsUserMayReadThem() throws IOException {
        try (ChannelDataFiles files = new ChannelDataFiles(data)) {
            files.create(Handle.of(1, 0, 7)).close();
        }
        try (var all = Files.walk(data)) {
            all.forEach(path -> assertThat(mode(path))
                    .as(path.toString())
                    .isEqualTo(Files.isDirectory(path) ? "rwx------" : "rw-------"));
        }
    }

    private static String mode(Path path) {
        try {
            return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** All directories are there, but no process lived to sync them. */
    @Test
    void thoseOfAProcessThatEndedEarlyAreSynced() throws IOException {
        for (int i = 0; i < 256; i++) {
            Files.createDirectories(data.resolve(String.format("%02x", i)));
        }
        assertThat(Forced.during(() -> new ChannelDataFiles(data).close())).contains(server, data);
    }
}
