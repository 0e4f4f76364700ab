package io.steadfs.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DurableDirectoriesTest {
    private static final int CALLS_OF_THREE_LEVELS = 7;

    private final Path root;
    private final ForgetfulDisk disk = new ForgetfulDisk();

    DurableDirectoriesTest(@TempDir Path root) throws IOException {
        this.root = root.toRealPath();
    }

    /** Real directories, of which a loss of power leaves what was synced; a process may end at any call. */
    private static final class ForgetfulDisk implements DurableDirectories.Calls {
        private final Map<Path, Set<Path>> durable = new HashMap<>();
        private final Set<Path> unreadable = new HashSet<>();
        private int callsLeft = Integer.MAX_VALUE;

        @Override
        public void make(Path directory) throws IOException {
            call();
            Files.createDirectory(directory);
        }

        @Override
        public void sync(Path directory) throws IOException {
            call();
            if (unreadable.contains(directory)) {
                throw new AccessDeniedException(directory.toString());
            }
            durable.put(directory, names(directory));
        }

        private void call() throws IOException {
            if (callsLeft-- == 0) {
                throw new IOException("the process ends here");
            }
        }

        private static Set<Path> names(Path directory) throws IOException {
            try (Stream<Path> all = Files.list(directory)) {
                return all.collect(Collectors.toSet());
            }
        }

        void losePower(Path directory) throws IOException {
            for (Path name : names(directory)) {
                losePower(name);
                if (!durable.getOrDefault(directory, Set.of()).contains(name)) {
                    Files.delete(name);
                }
            }
        }
    }

    @Test
    void everyLevelIsThereAfterALossOfPower() throws IOException {
        Path deepest = root.resolve("a/b/c");
        DurableDirectories.make(deepest, disk);
        disk.losePower(root);
        assertThat(deepest).isDirectory();
    }

    @Test
    void whereverAnEarlierProcessEnded() throws IOException {
        for (int calls = 0; calls <= CALLS_OF_THREE_LEVELS; calls++) {
            Path top = Files.createDirectory(root.resolve("top" + calls));
            disk.sync(root);
            Path deepest = top.resolve("a/b/c");
            disk.callsLeft = calls;
            if (calls < CALLS_OF_THREE_LEVELS) {
                assertThatThrownBy(() -> DurableDirectories.make(deepest, disk)).hasMessage("the process ends here");
            } else {
                assertThatCode(() -> DurableDirectories.make(deepest, disk)).doesNotThrowAnyException();
            }
            disk.callsLeft = Integer.MAX_VALUE;
            DurableDirectories.make(deepest, disk);
            disk.losePower(root);
            assertThat(deepest).as("after %d calls", calls).isDirectory();
        }
    }

    @Test
    void aLinkLeadsToTheDirectoryThatHoldsTheName() throws IOException {
        Path real = Files.createDirectories(root.resolve("disk/data"));
        disk.sync(root);
        Path link = Files.createSymbolicLink(root.resolve("link"), real);
        DurableDirectories.make(link, disk);
        Files.delete(link);
        disk.losePower(root);
        assertThat(real).isDirectory();
    }

    @Test
    void aNameThatIsThereInADirectoryThatMayNotBeReadIsTaken() throws IOException {
        Path found = Files.createDirectory(root.resolve("a"));
        disk.unreadable.add(root);
        DurableDirectories.make(found, disk);
        DurableDirectories.make(found.resolve("b"), disk);
        assertThat(disk.durable).containsEntry(found, Set.of(found.resolve("b")));
    }

    /** Each time: a name that it left would be taken by the next start. */
    @Test
    void noNameIsMadeInADirectoryThatMayNotBeRead() {
        disk.unreadable.add(root);
        for (int start = 1; start <= 2; start++) {
            assertThatThrownBy(() -> DurableDirectories.make(root.resolve("a/b"), disk))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining(root.toString());
            assertThat(root).isEmptyDirectory();
        }
    }

    /** Root reads whatever it wants. */
    @Test
    void theSystemsDirectoryThatMayNotBeReadIsNamed() throws IOException {
        Path closed = Files.createDirectory(root.resolve("closed"));
        Files.createDirectory(closed.resolve("there"));
        Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("-wx------"));
        try {
            assumeThat(Files.isReadable(closed)).isFalse();
            DurableDirectories.make(closed.resolve("there"));
            assertThatThrownBy(() -> DurableDirectories.make(closed.resolve("new")))
                    .isInstanceOf(AccessDeniedException.class)
                    .hasMessageContaining(closed + ": this directory cannot be synced: it may not be read");
            assertThat(closed.resolve("new")).doesNotExist();
        } finally {
            Files.setPosixFilePermissions(closed, PosixFilePermissions.fromString("rwx------"));
        }
    }

    @Test
    void aFileInTheWayIsNamed() throws IOException {
        Path file = Files.createFile(root.resolve("file"));
        for (Path wanted : List.of(file, file.resolve("below"))) {
            assertThatThrownBy(() -> DurableDirectories.make(wanted))
                    .isInstanceOf(FileAlreadyExistsException.class)
                    .hasMessageContaining(file.toString());
        }
    }

    @Test
    void theSystemIsAsked() throws IOException {
        Path deepest = root.resolve("a/b");
        assertThat(Forced.during(() -> DurableDirectories.make(deepest)))
                .containsExactly(root.getParent(), root, root.resolve("a"));
        assertThat(deepest).isDirectory();
        assertThat(Forced.during(() -> DurableDirectories.make(deepest)))
                .as("when it is there")
                .containsExactly(root.resolve("a"));
    }

    @Test
    void aDirectoryThatIsNotThereIsNotSynced() {
        assertThatThrownBy(() -> DurableDirectories.sync(root.resolve("none")))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("none");
    }
}
