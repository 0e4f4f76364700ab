package io.steadfs.store.memory;

import io.steadfs.store.Store;
import io.steadfs.store.Table;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;

/** A copy of all rows. */
final class MemorySnapshot extends MemoryView implements Store.Snapshot {
    MemorySnapshot(MemoryStore store, Map<Table, NavigableMap<byte[], byte[]>> rows) {
        super(
                store,
                (table, key) -> {
                    store.checkUsable(table);
                    return Optional.ofNullable(rows.get(table)).map(map -> map.get(key));
                },
                (table, key, inclusive) -> {
                    store.checkUsable(table);
                    return Optional.ofNullable(rows.get(table))
                            .map(map -> inclusive ? map.ceilingEntry(key) : map.higherEntry(key));
                });
    }

    @Override
    public void close() {}
}
