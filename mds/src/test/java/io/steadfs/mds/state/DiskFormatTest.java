package io.steadfs.mds.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.mds.testing.State;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiskFormatTest {
    @ParameterizedTest
    @ValueSource(longs = {1, DiskFormat.VERSION + 1})
    void aStoreOfAnotherVersionIsRefusedByName(long version) {
        State state = State.of(new DiskFormat.Written(version));
        assertThatThrownBy(() -> DiskFormat.check(state.view(), "shard-0"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("shard-0")
                .hasMessageContaining("disk format " + version)
                .hasMessageContaining("knows " + DiskFormat.VERSION);
    }

    @Test
    void aStoreOfThisVersionAndAnUnusedOneAreFine() throws IOException {
        DiskFormat.check(new State().view(), "shard-0");
        State state = State.of(new DiskFormat.Written(DiskFormat.VERSION));
        DiskFormat.check(state.view(), "shard-0");
        assertThat(DiskFormat.of(state.view())).contains(DiskFormat.VERSION);
    }

    @Test
    void thePageSaysWhichOneItIs() throws IOException {
        assertThat(Files.readString(Path.of("..", "docs", "metadata-server.md")))
                .contains("Disk format " + DiskFormat.VERSION + ";");
    }
}
