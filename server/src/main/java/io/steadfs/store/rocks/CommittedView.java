package io.steadfs.store.rocks;

import io.steadfs.store.Store;
import io.steadfs.store.Table;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import org.rocksdb.ReadOptions;
import org.rocksdb.RocksDBException;
import org.rocksdb.Snapshot;

/** Committed state: the newest, or that of one moment. Used from any thread. */
final class CommittedView implements Store.Snapshot, RocksStore.Native {
    private final RocksStore store;
    private final @Nullable Snapshot moment;
    private final ReadOptions options = new ReadOptions();

    /**
     * Called inside the gate, or while nobody else knows the store.
     *
     * @param moment null for the newest state
     */
    CommittedView(RocksStore store, @Nullable Snapshot moment) {
        this.store = store;
        this.moment = moment;
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
            return Optional.ofNullable(store.database.get(store.handle(table), options, key));
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

    private void checkOpen() {
        // The newest state lives as long as the gate is open.
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
