package io.steadfs.store.rocks;

import io.steadfs.store.ReadView;
import io.steadfs.store.Table;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.RocksIterator;
import org.rocksdb.Slice;

/** Reads the rows in one range of a table. The method {@link #next} copies the key and the value into the heap. */
final class RocksCursor implements ReadView.Cursor, RocksStore.Native {
    private final RocksStore store;
    private final Table table;
    private final byte[] from;
    private final byte[] to;
    private final ReadOptions options;
    private final Slice lower;
    private final Slice upper;
    private final RocksIterator iterator;
    private boolean begun;
    private byte @Nullable [] key;
    private byte @Nullable [] value;

    /** Makes the iterator with options that have the bounds of the range. */
    interface Source {
        RocksIterator open(ReadOptions options);
    }

    /** Makes a cursor. The caller is inside the gate. */
    RocksCursor(RocksStore store, Table table, byte[] from, byte[] to, Source source) {
        this.store = store;
        this.table = table;
        this.from = from.clone();
        this.to = to.clone();
        this.options = new ReadOptions();
        this.lower = new Slice(this.from);
        this.upper = new Slice(this.to);
        options.setIterateLowerBound(lower).setIterateUpperBound(upper);
        this.iterator = source.open(options);
        store.live.add(this);
    }

    @Override
    public boolean next() {
        int lane = store.gate.enter();
        try {
            if (!store.live.contains(this)) {
                throw new IllegalStateException("cursor over table " + table.name() + " is closed");
            }
            if (!begun) {
                begun = true;
                iterator.seek(from);
            } else if (key == null) {
                return false;
            } else {
                iterator.next();
            }
            if (!iterator.isValid()) {
                iterator.status();
                return end();
            }
            key = iterator.key();
            value = iterator.value();
            return true;
        } catch (RocksDBException e) {
            throw store.unreadable(table, e);
        } finally {
            store.gate.leave(lane);
        }
    }

    private boolean end() {
        key = null;
        value = null;
        return false;
    }

    @Override
    public byte[] key() {
        return copy(key);
    }

    @Override
    public byte[] value() {
        return copy(value);
    }

    private byte[] copy(byte @Nullable [] bytes) {
        if (bytes == null) {
            throw new NoSuchElementException("cursor over table " + table.name() + " stands on no row");
        }
        return bytes;
    }

    @Override
    public void close() {
        store.closeOnce(this);
    }

    @Override
    public void free() {
        iterator.close();
        options.close();
        lower.close();
        upper.close();
    }
}
