package io.steadfs.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CleanupTest {
    private final List<String> done = new ArrayList<>();

    @Test
    void newestComesFirstAndEachOnce() {
        Cleanup cleanup = new Cleanup();
        cleanup.add(() -> done.add("cluster"));
        cleanup.add(() -> done.add("client"));

        cleanup.close();
        cleanup.close();

        assertThat(done).containsExactly("client", "cluster");
    }

    @Test
    void whatComesTooLateIsDoneAtOnce() {
        Cleanup cleanup = new Cleanup();
        cleanup.close();

        cleanup.add(() -> done.add("late"));

        assertThat(done).containsExactly("late");
    }

    @Test
    void failureOfOneStepDoesNotStopTheNext() {
        Cleanup cleanup = new Cleanup();
        cleanup.add(() -> done.add("first"));
        cleanup.add(() -> {
            throw new IOException("expected by this test");
        });

        cleanup.close();

        assertThat(done).containsExactly("first");
    }

    @Test
    void temporaryFolderIsRemovedWithAllInIt() throws IOException {
        Cleanup cleanup = new Cleanup();
        Path folder = cleanup.temporaryFolder("cleanup-test-");
        Files.createDirectories(folder.resolve("a/b"));
        Files.writeString(folder.resolve("a/b/c"), "text");

        cleanup.close();

        assertThat(folder).doesNotExist();
    }
}
