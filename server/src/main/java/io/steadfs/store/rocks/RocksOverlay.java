package io.steadfs.store.rocks;

import io.steadfs.store.Overlay;
import io.steadfs.store.Table;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.rocksdb.ColumnFamilyHandle;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.WriteBatchWithIndex;

/** Changes in a write batch that can be read through. */
final class RocksOverlay implements Overlay, RocksStore.Native {
    private final RocksStore store;
    private final WriteBatchWithIndex batch;
    private final ReadOptions options;
    /** For a store with a cache of rows: the same changes by their keys; empty for what is deleted. */
    private final Map<RowKey, Optional<byte[]>> rows = new HashMap<>();
    /** Read the batch, so they are freed before it. */
    private final List<RocksCursor> cursors = new ArrayList<>();

    /** Called inside the gate. */
    RocksOverlay(RocksStore store) {
        this.store = store;
        // true: a second change of a key replaces the first in the index.
        this.batch = new WriteBatchWithIndex(true);
        this.options = new ReadOptions();
        store.live.add(this);
    }

    /** The changes; only inside the gate. */
    WriteBatchWithIndex batchOf(RocksStore asking) {
        if (asking != store) {
            throw new IllegalArgumentException("this overlay belongs to " + store + ", not to " + asking);
        }
        checkOpen();
        return batch;
    }

    private void note(Table table, byte[] key, Optional<byte[]> value) {
        if (store.rows.isPresent()) {
            rows.put(new RowKey(table, key.clone()), value);
        }
    }

    /** The same by their keys, for a store with a cache of rows. */
    Map<RowKey, Optional<byte[]>> rows() {
        return rows;
    }

    private void checkOpen() {
        if (!store.live.contains(this)) {
            throw new IllegalStateException("overlay of " + store + " is closed");
        }
    }

    @Override
    public Optional<byte[]> get(Table table, byte[] key) {
        int lane = store.gate.enter();
        try {
            checkOpen();
            ColumnFamilyHandle handle = store.handle(table);
            if (store.rows.isEmpty()) {
                return Optional.ofNullable(batch.getFromBatchAndDB(store.database, handle, options, key));
            }
            Optional<byte[]> changed = rows.get(new RowKey(table, key));
            if (changed != null) {
                return changed.map(byte[]::clone);
            }
            RowCache cache = store.rows.get();
            return store.read(cache, table, key, options, cache.moment());
        } catch (RocksDBException e) {
            throw store.unreadable(table, e);
        } finally {
            store.gate.leave(lane);
        }
    }

    @Override
    public Cursor scan(Table table, byte[] from, byte[] to) {
        if (Arrays.compareUnsigned(from, to) >= 0) {
            return new EmptyCursor(table);
        }
        int lane = store.gate.enter();
        try {
            checkOpen();
            ColumnFamilyHandle handle = store.handle(table);
            // The merged iterator owns the one below it.
            RocksCursor cursor = new RocksCursor(store, table, from, to, bounded -> {
                return batch.newIteratorWithBase(handle, store.database.newIterator(handle, bounded), bounded);
            });
            cursors.removeIf(earlier -> !store.live.contains(earlier));
            cursors.add(cursor);
            return cursor;
        } finally {
            store.gate.leave(lane);
        }
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) {
        int lane = store.gate.enter();
        try {
            checkOpen();
            batch.put(store.handle(table), key, value);
            note(table, key, Optional.of(value.clone()));
        } catch (RocksDBException e) {
            throw new IllegalStateException("table " + table.name() + ": cannot add to the batch", e);
        } finally {
            store.gate.leave(lane);
        }
    }

    @Override
    public void delete(Table table, byte[] key) {
        int lane = store.gate.enter();
        try {
            checkOpen();
            batch.delete(store.handle(table), key);
            note(table, key, Optional.empty());
        } catch (RocksDBException e) {
            throw new IllegalStateException("table " + table.name() + ": cannot add to the batch", e);
        } finally {
            store.gate.leave(lane);
        }
    }

    @Override
    public boolean isEmpty() {
        int lane = store.gate.enter();
        try {
            checkOpen();
            return batch.count() == 0;
        } finally {
            store.gate.leave(lane);
        }
    }

    @Override
    public void close() {
        store.closeOnce(this);
    }

    @Override
    public void free() {
        cursors.forEach(store::freeOnce);
        batch.close();
        options.close();
    }
}
