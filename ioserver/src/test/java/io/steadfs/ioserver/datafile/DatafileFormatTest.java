package io.steadfs.ioserver.datafile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.store.Overlay;
import io.steadfs.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DatafileFormatTest {
    private static final long NEWEST = DatafileFormat.STEPS.newest();

    private final MemoryStore store = new MemoryStore(DatafileTables.ALL);

    @ParameterizedTest
    @ValueSource(longs = {1, 1_000_000})
    void aStoreOfAnotherFormatIsRefusedByNameAndNumber(long number) throws IOException {
        try (Overlay rows = store.overlay()) {
            rows.put(
                    DatafileTables.META,
                    "format".getBytes(StandardCharsets.US_ASCII),
                    ByteBuffer.allocate(Long.BYTES).putLong(number).array());
            store.commit(rows, true);
        }
        assertThatThrownBy(() -> DatafileFormat.STEPS.check(store.committed(), "store"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("store has disk format " + number)
                .hasMessageContaining("knows ");
    }

    @Test
    void aNewStoreGetsTheNumberAndIsOpenedAgain() throws IOException {
        DatafileFormat.STEPS.open(store, () -> {});
        assertThat(DatafileFormat.STEPS.of(store.committed())).contains(NEWEST);
        DatafileFormat.STEPS.open(store, () -> {
            throw new IOException("nothing is to be done");
        });
    }

    @Test
    void thePageSaysWhichOneItIs() throws IOException {
        assertThat(Files.readString(Path.of("..", "docs", "io-server.md"))).contains("Disk format " + NEWEST + ";");
    }
}
