package io.steadfs.store.rocks;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.steadfs.config.Settings;
import io.steadfs.store.Overlay;
import io.steadfs.store.Store;
import io.steadfs.store.StoreClosedException;
import io.steadfs.store.Table;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A copy of a store that serves, as the shard's next host needs it. */
class CheckpointTest {
    private static final Table ROWS = new Table("ROWS");
    private static final int VALUE_BYTES = 4 << 10;

    private final Path directory;
    private final Random random = new Random(5);
    private final Map<String, byte[]> written = new HashMap<>();

    CheckpointTest(@TempDir Path directory) {
        this.directory = directory;
    }

    private static RocksStore open(Path place) throws IOException {
        return RocksStore.openShard(place, List.of(ROWS), Settings.defaults(), 1 << 20);
    }

    private void write(Store store, int from, int until) throws IOException {
        for (int i = from; i < until; i++) {
            byte[] value = new byte[VALUE_BYTES];
            random.nextBytes(value);
            try (Overlay overlay = store.overlay()) {
                overlay.put(ROWS, key(i), value);
                store.commit(overlay, true);
            }
            written.put(Integer.toString(i), value);
        }
    }

    private static byte[] key(int number) {
        return Integer.toString(number).getBytes(StandardCharsets.UTF_8);
    }

    private static Map<String, Long> tables(Path store) throws IOException {
        try (Stream<Path> files = Files.list(store)) {
            Map<String, Long> lengths = new HashMap<>();
            for (Path file : files.toList()) {
                if (file.toString().endsWith(".sst")) {
                    lengths.put(file.getFileName().toString(), Files.size(file));
                }
            }
            return lengths;
        }
    }

    /** More than the zeros at the end of the log take. */
    @Test
    void hasAllThatWasCommittedAndNothingOfWhatFollows() throws IOException {
        Path copy = directory.resolve("copy");
        try (RocksStore store = open(directory.resolve("store"))) {
            write(store, 0, 300);
            store.checkpoint(copy);
            write(store, 300, 400);
            assertThat(store.committed().get(ROWS, key(0))).isPresent();
        }
        try (RocksStore copied = open(copy)) {
            for (int i = 0; i < 400; i++) {
                Optional<byte[]> value = copied.committed().get(ROWS, key(i));
                assertThat(value.isPresent()).as("row %d", i).isEqualTo(i < 300);
                assertThat(value.orElse(null)).isEqualTo(i < 300 ? written.get(Integer.toString(i)) : null);
            }
        }
    }

    /** A later copy, and the closed store, have the same bytes under the name of a table file. */
    @Test
    void tableFilesNeverChange() throws IOException {
        Path place = directory.resolve("store");
        Path first = directory.resolve("first");
        Path second = directory.resolve("second");
        try (RocksStore store = open(place)) {
            write(store, 0, 100);
            store.checkpoint(first);
            write(store, 50, 200);
            store.checkpoint(second);
            write(store, 100, 300);
        }
        Map<String, Long> before = tables(first);
        assertThat(before).isNotEmpty();
        for (Path later : List.of(second, place)) {
            for (String name : tables(later).keySet()) {
                if (before.containsKey(name)) {
                    assertThat(later.resolve(name)).hasSameBinaryContentAs(first.resolve(name));
                    assertThat(Files.getLastModifiedTime(later.resolve(name)))
                            .isEqualTo(Files.getLastModifiedTime(first.resolve(name)));
                }
            }
        }
    }

    @Test
    void aCopyThatCannotBeMadeIsToldByTheNameOfTheStore() throws IOException {
        Path there = Files.createDirectory(directory.resolve("there"));
        RocksStore store = open(directory.resolve("store"));
        try (store) {
            write(store, 0, 1);
            assertThatThrownBy(() -> store.checkpoint(there))
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("store in " + directory.resolve("store"))
                    .hasMessageContaining(there.toString());
            write(store, 1, 2);
        }
        assertThatThrownBy(() -> store.checkpoint(directory.resolve("late"))).isInstanceOf(StoreClosedException.class);
    }
}
