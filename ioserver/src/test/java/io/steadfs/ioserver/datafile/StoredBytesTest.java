package io.steadfs.ioserver.datafile;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.handle.Handle;
import io.steadfs.store.Overlay;
import io.steadfs.store.memory.MemoryStore;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class StoredBytesTest {
    private final MemoryStore store = new MemoryStore(DatafileTables.ALL);

    private void put(long sequence, long length) throws IOException {
        try (Overlay overlay = store.overlay()) {
            DatafileRow row = new DatafileRow(Handle.of(0x8000, 1, 7), 0, 1, 1, 0, true, length, 0);
            DatafileRows.putRow(overlay, Handle.of(1, 1, sequence), row);
            store.commit(overlay, true);
        }
    }

    private void change(StoredBytes stored, int lane, StoredBytes.Change change) throws IOException {
        try (Overlay overlay = store.overlay()) {
            stored.put(overlay, lane, change);
            store.commit(overlay, true);
        }
        stored.changed(lane, change);
    }

    private static StoredBytes.Change of(long bytes) {
        StoredBytes.Change change = new StoredBytes.Change();
        change.add(bytes);
        return change;
    }

    /** A store may have no sums, as after the removal of a row that nobody could read: its rows are counted, once. */
    @Test
    void rowsAreCountedWhereThereAreNoSums() throws IOException {
        put(1, 1_000);
        put(2, 20);
        assertThat(StoredBytes.open(store, false).total()).isEqualTo(1_020);
        // Not by its lane: only a count of rows would see it.
        put(3, 5);
        assertThat(StoredBytes.open(store, false).total()).isEqualTo(1_020);
    }

    @Test
    void sumsAreThoseOfTheLastCommit() throws IOException {
        StoredBytes stored = StoredBytes.open(store, false);
        assertThat(stored.total()).isZero();
        change(stored, 0, of(500));
        change(stored, 3, of(70));
        change(stored, 3, of(-20));
        // A lane may take what another one added: the number of lanes may change at a start.
        change(stored, 1, of(-100));
        assertThat(stored.total()).isEqualTo(450);
        assertThat(StoredBytes.open(store, false).total()).isEqualTo(450);
        // A batch that was not committed.
        try (Overlay overlay = store.overlay()) {
            stored.put(overlay, 0, of(1_000_000));
        }
        assertThat(stored.total()).isEqualTo(450);
        assertThat(StoredBytes.open(store, false).total()).isEqualTo(450);
    }

    /** What such a row spoke of is unknown: the next start counts anew. */
    @Test
    void afterTheRemovalOfAnUnreadableRowAllIsCountedAnew() throws IOException {
        StoredBytes stored = StoredBytes.open(store, false);
        change(stored, 2, of(77));
        put(1, 10);
        StoredBytes.Change change = new StoredBytes.Change();
        change.addUnknown();
        change(stored, 2, change);
        assertThat(StoredBytes.open(store, false).total()).isEqualTo(10);
        assertThat(StoredBytes.open(store, false).problem()).isEmpty();
    }

    @Test
    void nonsenseInASumIsNoSum() throws IOException {
        put(1, 10);
        assertThat(StoredBytes.open(store, false).total()).isEqualTo(10);
        try (Overlay overlay = store.overlay()) {
            overlay.put(DatafileTables.META, "stored.005".getBytes(StandardCharsets.US_ASCII), new byte[3]);
            store.commit(overlay, true);
        }
        assertThat(StoredBytes.open(store, false).total()).isEqualTo(10);
    }

    @Test
    void afterASalvageRowsAreCounted() throws IOException {
        put(1, 10);
        assertThat(StoredBytes.open(store, false).total()).isEqualTo(10);
        put(2, 4);
        assertThat(StoredBytes.open(store, true).total()).isEqualTo(14);
    }
}
