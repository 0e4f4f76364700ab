package io.steadfs.store.memory;

import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** Changes in sorted maps; an empty value is a deletion. */
final class MemoryOverlay implements Overlay {
    /** Meets every change. */
    interface Visitor {
        void visit(Table table, byte[] key, Optional<byte[]> value);
    }

    private final MemoryStore store;
    private final ReadView committed;
    private final Map<Table, TreeMap<byte[], Optional<byte[]>>> changes = new LinkedHashMap<>();
    private final MemoryView merged;
    private boolean closed;

    MemoryOverlay(MemoryStore store) {
        this.store = store;
        this.committed = store.committed();
        this.merged = new MemoryView(store, this::row, this::rowFrom);
    }

    MemoryStore store() {
        checkOpen();
        return store;
    }

    void forEach(Visitor visitor) {
        changes.forEach((table, rows) -> rows.forEach((key, value) -> visitor.visit(table, key, value)));
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("overlay of the memory store is closed");
        }
    }

    private NavigableMap<byte[], Optional<byte[]>> changesOf(Table table) {
        checkOpen();
        store.checkUsable(table);
        return changes.computeIfAbsent(table, name -> new TreeMap<>(Arrays::compareUnsigned));
    }

    private Optional<byte[]> row(Table table, byte[] key) {
        Optional<byte[]> change = changesOf(table).get(key);
        return change != null ? change : committed.get(table, key);
    }

    private Optional<Map.Entry<byte[], byte[]>> rowFrom(Table table, byte[] key, boolean inclusive) {
        byte[] position = key;
        boolean including = inclusive;
        while (true) {
            NavigableMap<byte[], Optional<byte[]>> rows = changesOf(table);
            Map.@Nullable Entry<byte[], Optional<byte[]>> change =
                    including ? rows.ceilingEntry(position) : rows.higherEntry(position);
            Optional<Map.Entry<byte[], byte[]>> base = store.rowFrom(table, position, including);
            if (change == null
                    || (base.isPresent() && Arrays.compareUnsigned(base.get().getKey(), change.getKey()) < 0)) {
                return base;
            }
            if (change.getValue().isPresent()) {
                return Optional.of(Map.entry(change.getKey(), change.getValue().get()));
            }
            position = change.getKey();
            including = false;
        }
    }

    @Override
    public Optional<byte[]> get(Table table, byte[] key) {
        return merged.get(table, key);
    }

    @Override
    public Cursor scan(Table table, byte[] from, byte[] to) {
        checkOpen();
        return merged.scan(table, from, to);
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) {
        changesOf(table).put(key.clone(), Optional.of(value.clone()));
    }

    @Override
    public void delete(Table table, byte[] key) {
        changesOf(table).put(key.clone(), Optional.empty());
    }

    @Override
    public boolean isEmpty() {
        checkOpen();
        return changes.values().stream().allMatch(Map::isEmpty);
    }

    @Override
    public void close() {
        closed = true;
    }
}
