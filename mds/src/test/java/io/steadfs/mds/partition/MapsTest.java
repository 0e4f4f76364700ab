package io.steadfs.mds.partition;

import static org.assertj.core.api.Assertions.assertThat;

import io.steadfs.config.Settings;
import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.state.LifeTables;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.VolatileTables;
import io.steadfs.store.rocks.RocksStore;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Random;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A map that readers and writers share is what the rows say, whatever batch changed them. */
class MapsTest {
    private static final Handle DIRECTORY = Handle.of(Handle.shardOwner(0), 0, 100);
    private static final int DEPTH = 3;

    private final Store store;

    MapsTest(@TempDir Path directory) throws IOException {
        store = new VolatileTables(
                RocksStore.open(directory.resolve("store"), ShardTables.ALL, Settings.defaults(), 1 << 20),
                LifeTables.ALL);
    }

    @AfterEach
    void close() {
        store.close();
    }

    private static LogRecord entry(int number, long sequence) {
        Handle handle = Handle.of(Handle.shardOwner(0), 0, sequence);
        return new MapEntrySet(DIRECTORY, new MapEntry(new Partition(number, DEPTH, handle), false));
    }

    private static SortedMap<Integer, Long> entries(ReadView view) {
        SortedMap<Integer, Long> entries = new TreeMap<>();
        Maps.entries(view, DIRECTORY)
                .forEach(each -> entries.put(each.number(), each.handle().sequence()));
        return entries;
    }

    private static void requireSame(ReadView view, SortedMap<Integer, Long> rows) {
        // The second look finds what the first one kept.
        for (int look = 0; look < 2; look++) {
            assertThat(entries(view)).isEqualTo(rows);
        }
    }

    /** One batch is decided while another is committed, as a shard's writer does. */
    @Test
    void aWriterSeesTheChangesOfItsBatchAndOfTheOneBefore() throws IOException {
        Random random = new Random(7);
        SortedMap<Integer, Long> rows = new TreeMap<>();
        Overlay deciding = store.overlay();
        for (int batch = 0; batch < 300; batch++) {
            requireSame(deciding, rows);
            for (int i = random.nextInt(3); i > 0; i--) {
                int number = random.nextInt(1 << DEPTH);
                if (random.nextInt(3) == 0) {
                    new MapEntryGone(DIRECTORY, number).replay(deciding);
                    rows.remove(number);
                } else {
                    entry(number, 1_000 + batch).replay(deciding);
                    rows.put(number, 1_000L + batch);
                }
                requireSame(deciding, rows);
            }
            deciding.close();
            Overlay next = deciding.above();
            requireSame(next, rows);
            store.commit(deciding, false);
            requireSame(next, rows);
            next.settle();
            requireSame(next, rows);
            try (Store.Snapshot reader = store.snapshot()) {
                requireSame(reader, rows);
            }
            deciding = next;
        }
    }
}
