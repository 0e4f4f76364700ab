package io.steadfs.store.rocks;

import io.steadfs.store.Derived;
import io.steadfs.store.MovedOnException;
import io.steadfs.store.Sources;
import io.steadfs.store.Store;
import io.steadfs.store.Table;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;

/**
 * Reads the state of one moment without a snapshot of RocksDB. A snapshot takes RocksDB's lock twice and costs as much
 * as the read of several rows.
 *
 * <p>The cache knows which of its rows are valid at the moment. Any other row is read from the newest state of the
 * store. If no commit has begun since the moment, the newest state is also the state of the moment. For a range of
 * rows, this class makes a snapshot under the same condition. If a commit has begun, the reader must start again with a
 * snapshot.
 *
 * <p>Only one thread at a time uses an object of this class.
 */
final class Glance implements Store.Snapshot {
    private final RocksStore store;
    private final RowCache rows;
    private final long moment;
    private @Nullable CommittedView fixed;

    /** @param rows the cache of the store's rows */
    Glance(RocksStore store, RowCache rows) {
        this.store = store;
        this.rows = rows;
        this.moment = rows.moment();
    }

    @Override
    public Optional<byte[]> get(Table table, byte[] key) {
        CommittedView snapshot = fixed;
        if (snapshot != null) {
            return snapshot.get(table, key);
        }
        store.gate.checkOpen();
        byte[] present = rows.find(new RowKey(table, key), moment);
        return present != null ? Optional.of(present.clone()) : newest(table, key);
    }

    private Optional<byte[]> newest(Table table, byte[] key) {
        int lane = store.gate.enter();
        try {
            byte[] value = store.database.get(store.handle(table), key);
            if (!rows.isNewest(moment)) {
                throw new MovedOnException();
            }
            if (value == null) {
                return Optional.empty();
            }
            rows.offer(new RowKey(table, key.clone()), value, moment);
            return Optional.of(value.clone());
        } catch (RocksDBException e) {
            throw store.unreadable(table, e);
        } finally {
            store.gate.leave(lane);
        }
    }

    @Override
    public Cursor scan(Table table, byte[] from, byte[] to) {
        CommittedView snapshot = fixed;
        if (snapshot == null) {
            snapshot = fix();
            fixed = snapshot;
        }
        return snapshot.scan(table, from, to);
    }

    private CommittedView fix() {
        int lane = store.gate.enter();
        try {
            Snapshot now = store.database.getSnapshot();
            if (!rows.isNewest(moment)) {
                store.database.releaseSnapshot(now);
                throw new MovedOnException();
            }
            return new CommittedView(store, now, moment);
        } finally {
            store.gate.leave(lane);
        }
    }

    @Override
    public Optional<Derived> kept(Object question) {
        store.gate.checkOpen();
        return rows.derived().find(question, moment);
    }

    @Override
    public boolean keepsDerived() {
        return true;
    }

    @Override
    public void keep(Object question, Derived derived, Sources sources) {
        rows.derived().offer(question, derived, sources, moment);
    }

    @Override
    public void close() {
        CommittedView snapshot = fixed;
        if (snapshot != null) {
            snapshot.close();
        }
    }
}
