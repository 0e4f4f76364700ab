package io.steadfs.mds.log;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.mds.state.Keys;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.memory.MemoryStore;
import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Test;

class LocalLogTest {
    private final MemoryStore store = new MemoryStore(ShardTables.ALL);
    private final LocalLog log = new LocalLog(store);

    private void append(long value) throws IOException {
        try (Overlay batch = log.begin()) {
            batch.put(ShardTables.META, Keys.of(1), Keys.of(value));
            log.append(List.of(), batch);
        }
    }

    private static long row(ReadView view) {
        return view.get(ShardTables.META, Keys.of(1))
                .map(value -> Keys.longAt(value, 0))
                .orElse(0L);
    }

    @Test
    void whatWasAppendedOutlivesPowerLoss() throws IOException {
        append(5);
        assertThat(row(store.crash().committed())).isEqualTo(5);
    }

    @Test
    void theCommittedStateIsTheNewestAndASnapshotStays() throws IOException {
        append(5);
        ReadView committed = log.committed();
        try (Store.Snapshot snapshot = log.snapshot();
                Store.Snapshot glance = log.glance()) {
            append(6);
            assertThat(row(committed)).isEqualTo(6);
            assertThat(row(snapshot)).isEqualTo(5);
            assertThat(row(glance)).isEqualTo(5);
        }
    }
}
