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

/** The committed state: the newest one, or that of one moment. Used from any thread. */
final class CommittedView implements Store.Snapshot, RocksStore.Native {
    private final RocksStore store;
    private final @Nullable Snapshot moment;
    private final ReadOptions options = new ReadOptions();
    /** A moment of the cache of rows; taken before the snapshot was made. */
    private final long since;

    /**
     * Called inside the gate, or while no other thread knows the store.
     *
     * @param moment null for the newest state
     * @param since moment of the cache of rows, taken before the snapshot
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
            // The row itself was read. Damage next to it matters only to a reader of the neighbours.
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
        // The newest state is valid as long as the gate is open.
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
