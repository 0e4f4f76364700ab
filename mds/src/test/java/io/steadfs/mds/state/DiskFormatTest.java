package io.steadfs.mds.state;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.mds.testing.State;
import io.steadfs.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DiskFormatTest {
    private static final long NEWEST = DiskFormat.STEPS.newest();

    @ParameterizedTest
    @ValueSource(longs = {1, 1_000_000})
    void aStoreOfAnotherFormatIsRefusedByNameAndNumber(long number) {
        MemoryStore store = new MemoryStore(ShardTables.ALL);
        State.in(store)
                .replay(List.of(view ->
                        view.put(ShardTables.META, "format".getBytes(StandardCharsets.US_ASCII), Keys.of(number))));
        assertThatThrownBy(() -> DiskFormat.STEPS.check(store.committed(), "shard-0"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("shard-0 has disk format " + number)
                .hasMessageContaining("knows ");
    }

    @Test
    void aNewStoreGetsTheNumberAndIsOpenedAgain() throws IOException {
        MemoryStore store = new MemoryStore(ShardTables.ALL);
        DiskFormat.STEPS.open(store, () -> {});
        assertThat(DiskFormat.STEPS.of(store.committed())).contains(NEWEST);
        DiskFormat.STEPS.open(store, () -> {
            throw new IOException("nothing is to be done");
        });
    }

    @Test
    void thePageSaysWhichOneItIs() throws IOException {
        assertThat(Files.readString(Path.of("..", "docs", "metadata-server.md")))
                .contains("Disk format " + NEWEST + ";");
    }
}
