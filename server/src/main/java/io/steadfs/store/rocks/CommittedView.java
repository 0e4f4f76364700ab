package io.steadfs.store.rocks;

import io.steadfs.store.Derived;
import io.steadfs.store.Prefixes;
import io.steadfs.store.Sources;
import io.steadfs.store.Store;
import io.steadfs.store.Table;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;

/** Reads the newest committed state, or the committed state of one moment. From any thread. */
final class CommittedView implements Store.Snapshot, RocksStore.Native {
    private final RocksStore store;
    private final @Nullable Snapshot moment;
    private final ReadOptions options = new ReadOptions();
    /** The moment of the row cache, read before the snapshot was made. */
    private final long since;

    /**
     * Makes a view. The caller is inside the gate, or no other thread knows the store yet.
     *
     * @param moment the snapshot to read; null = the newest state
     * @param since the moment of the row cache, read before the snapshot was made
     */
    CommittedView(RocksStore store, @Nullable Snapshot moment, long since) {
        this.store = store;
        this.moment = moment;
        this.since = since;
        if (moment != null) {
            options.setSnapshot(moment);
        }
        store.live.add(this);
    }

    @Override
    public Optional<byte[]> get(Table table, byte[] key) {
        int lane = store.gate.enter();
        try {
            checkOpen();
            return store.rows.isEmpty()
                    ? Optional.ofNullable(store.database.get(store.handle(table), options, key))
                    : cached(store.rows.get(), table, key);
        } catch (RocksDBException e) {
            throw store.unreadable(table, e);
        } finally {
            store.gate.leave(lane);
        }
    }

    private Optional<byte[]> cached(RowCache rows, Table table, byte[] key) throws RocksDBException {
        return moment == null ? newest(rows, table, key) : store.read(rows, table, key, options, since);
    }

    private Optional<byte[]> newest(RowCache rows, Table table, byte[] key) throws RocksDBException {
        if (rows.reach().isBehind(new RowKey(table, key))) {
            return Optional.empty();
        }
        Optional<byte[]> row = store.read(rows, table, key, options, rows.moment());
        if (row.isEmpty()) {
            rows.reach().absent(new RowKey(table, key.clone()), this::follows);
        }
        return row;
    }

    private boolean follows(RowKey key) {
        try (Cursor rest =
                scan(key.table(), key.bytes(), Prefixes.endOf(key.group().bytes()))) {
            return rest.next();
        } catch (UncheckedIOException e) {
            // The row itself could be read. Damage behind this row matters only to readers of later rows.
            return true;
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
            return new RocksCursor(store, table, from, to, bounded -> {
                if (moment != null) {
                    bounded.setSnapshot(moment);
                }
                return store.database.newIterator(store.handle(table), bounded);
            });
        } finally {
            store.gate.leave(lane);
        }
    }

    @Override
    public Optional<Derived> kept(Object question) {
        return moment == null
                ? Optional.empty()
                : store.rows.flatMap(rows -> rows.derived().find(question, since));
    }

    @Override
    public boolean keepsDerived() {
        return moment != null && store.rows.isPresent();
    }

    @Override
    public void keep(Object question, Derived derived, Sources sources) {
        if (moment != null) {
            store.rows.ifPresent(rows -> rows.derived().offer(question, derived, sources, since));
        }
    }

    private void checkOpen() {
        // A view of the newest state is valid as long as the gate is open.
        if (moment != null && !store.live.contains(this)) {
            throw new IllegalStateException("snapshot of " + store + " is closed");
        }
    }

    @Override
    public void close() {
        store.closeOnce(this);
    }

    @Override
    public void free() {
        options.close();
        if (moment != null) {
            store.database.releaseSnapshot(moment);
        }
    }
}
