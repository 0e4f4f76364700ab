package io.steadfs.disk;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
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
        private int callsLeft = Integer.MAX_VALUE;

        @Override
        public void make(Path directory) throws IOException {
            call();
            Files.createDirectory(directory);
        }

        @Override
        public void sync(Path directory) throws IOException {
            call();
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
