package io.steadfs.membership;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.disk.Forced;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is asked of the disk, so that names outlive a loss of power. */
class DataDirectoryTest {
    private final Path root;

    DataDirectoryTest(@TempDir Path root) throws IOException {
        this.root = root.toRealPath();
    }

    @Test
    void itsNameAndThoseAboveAreSynced() throws IOException {
        List<Path> forced =
                Forced.during(() -> DataDirectory.open(root.resolve("a/b")).close());
        assertThat(forced).contains(root, root.resolve("a"));
    }

    @Test
    void onlyItsUserMayReadIt() throws IOException {
        Path made = root.resolve("a/made");
        DataDirectory.open(made).close();
        assertThat(mode(made)).isEqualTo("rwx------");
        Path found = Files.createDirectory(root.resolve("found"));
        Files.setPosixFilePermissions(found, PosixFilePermissions.fromString("rwxr-xr-x"));
        DataDirectory.open(found).close();
        assertThat(mode(found)).isEqualTo("rwx------");
    }

    private static String mode(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
    }

    @Test
    void whatIsWrittenAndRemovedInItIsSynced() throws IOException {
        Path place = root.resolve("data");
        try (DataDirectory directory = DataDirectory.open(place)) {
            assertThat(Forced.during(() ->
                            directory.setIdentity(new StoreIdentity(UUID.randomUUID(), "io-1", UUID.randomUUID()))))
                    .containsExactly(place.resolve("identity.json.new"), place);
            assertThat(Forced.during(() -> directory.setSequence(1, new SequenceRecord(0, 9))))
                    .containsExactly(place.resolve("sequence-0001.json.new"), place);
            assertThat(Forced.during(directory::removeIdentity)).containsExactly(place);
            assertThat(directory.identity()).isEmpty();
        }
    }
}
