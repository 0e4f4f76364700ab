package io.steadfs.store.memory;

import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import java.util.Arrays;
import java.util.Map;
import java.util.NoSuchElementException;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Reads rows one by one, so that a cursor needs no copy of its range. */
class MemoryView implements ReadView {
    /** The row with this key. */
    interface Row {
        Optional<byte[]> get(Table table, byte[] key);
    }

    /** The first row from this key on. */
    interface RowFrom {
        Optional<Map.Entry<byte[], byte[]>> find(Table table, byte[] key, boolean inclusive);
    }

    private final MemoryStore store;
    private final Row row;
    private final RowFrom rowFrom;

    MemoryView(MemoryStore store, Row row, RowFrom rowFrom) {
        this.store = store;
        this.row = row;
        this.rowFrom = rowFrom;
    }

    @Override
    public Optional<byte[]> get(Table table, byte[] key) {
        return row.get(table, key).map(byte[]::clone);
    }

    @Override
    public Cursor scan(Table table, byte[] from, byte[] to) {
        store.checkUsable(table);
        return new MemoryCursor(table, from.clone(), to.clone());
    }

    private final class MemoryCursor implements Cursor {
        private final Table table;
        private final byte[] to;
        private byte[] position;
        private boolean begun;
        private boolean ended;
        private boolean closed;
        private Map.@Nullable Entry<byte[], byte[]> current;

        MemoryCursor(Table table, byte[] from, byte[] to) {
            this.table = table;
            this.position = from;
            this.to = to;
        }

        @Override
        public boolean next() {
            if (closed) {
                throw new IllegalStateException("cursor over table " + table.name() + " is closed");
            }
            if (ended) {
                return false;
            }
            Optional<Map.Entry<byte[], byte[]>> found = rowFrom.find(table, position, !begun);
            begun = true;
            current = found.filter(entry -> Arrays.compareUnsigned(entry.getKey(), to) < 0)
                    .orElse(null);
            if (current == null) {
                ended = true;
                return false;
            }
            position = current.getKey();
            return true;
        }

        private Map.Entry<byte[], byte[]> row() {
            if (current == null) {
                throw new NoSuchElementException("cursor over table " + table.name() + " stands on no row");
            }
            return current;
        }

        @Override
        public byte[] key() {
            return row().getKey().clone();
        }

        @Override
        public byte[] value() {
            return row().getValue().clone();
        }

        @Override
        public void close() {
            closed = true;
        }
    }
}
