package io.steadfs.cli.archive;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What loads the classes of a start really starts servers and works with files. */
class StartRehearsalTest {
    @TempDir
    private Path folder = Path.of("");

    @Test
    void serversRanAndStopped() throws Exception {
        StartRehearsal.run(folder);

        assertThat(folder.resolve("data/mds-1")).isNotEmptyDirectory();
        assertThat(folder.resolve("data/io-1")).isNotEmptyDirectory();
        assertThat(folder.resolve("file")).hasContent("what a client writes");
    }
}
