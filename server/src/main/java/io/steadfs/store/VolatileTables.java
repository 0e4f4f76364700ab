package io.steadfs.store;

import java.io.IOException;
import java.util.Arrays;
import java.util.Collections;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Consumer;
import java.util.stream.Collectors;

/**
 * A store with additional tables that exist only in the heap. The rows of volatile tables end with this object. All other
 * tables are those of the durable store below.
 *
 * <pre>
 *  view, overlay ---- volatile table ----> sorted maps in the heap
 *               '---- any other table ---> durable store
 * </pre>
 *
 * A snapshot does not freeze volatile tables: every view reads their newest rows. Within a commit, a row appears in a
 * volatile table before the durable rows of the same commit, and disappears after them:
 *
 * <ol>
 *   <li>New volatile rows appear.
 *   <li>The durable rows are committed.
 *   <li>Deleted volatile rows disappear.
 * </ol>
 *
 * So if a reader sees a durable row, then misses the volatile row that came with it, and then still finds the durable
 * row in the {@link ReadView#newest newest} state, the volatile row is gone for good.
 */
public final class VolatileTables implements Store {
    private final Store durable;
    private final Map<Table, ConcurrentSkipListMap<byte[], byte[]>> rows;
    private final View committed;

    /** @param durable remains the caller's, who closes the store after the last use of this object */
    public VolatileTables(Store durable, List<Table> tables) {
        this.durable = durable;
        this.rows = tables.stream()
                .collect(Collectors.toUnmodifiableMap(
                        table -> table, table -> new ConcurrentSkipListMap<>(Arrays::compareUnsigned)));
        this.committed = new View(durable.committed());
    }

    @Override
    public ReadView committed() {
        return committed;
    }

    @Override
    public Snapshot snapshot() {
        return new Moment(durable.snapshot());
    }

    @Override
    public Snapshot glance() {
        return new Moment(durable.glance());
    }

    @Override
    public Overlay overlay() {
        Consumer<Table> usable = durable.overlay()::checkUsable;
        return new Overlay(this, committed, table -> {
            if (!rows.containsKey(table)) {
                usable.accept(table);
            }
        });
    }

    /** {@inheritDoc} An overlay that changes only volatile tables costs no commit of the durable store. */
    @Override
    public void commit(Overlay overlay, boolean sync) throws IOException {
        if (overlay.owner() != this) {
            throw new IllegalArgumentException("not an overlay of " + this + " but of " + overlay.owner());
        }
        Overlay below = durable.overlay();
        overlay.shareWithout(rows.keySet(), below);
        rows.forEach((table, map) -> overlay.forEach(table, (key, value) -> value.ifPresent(row -> map.put(key, row))));
        if (!below.isEmpty()) {
            durable.commit(below, sync);
        }
        rows.forEach((table, map) -> overlay.forEach(table, (key, value) -> {
            if (value.isEmpty()) {
                map.remove(key);
            }
        }));
    }

    /** Changes rows of volatile tables at once, beside all overlays and commits. */
    public WriteView volatileRows() {
        return new WriteView() {
            @Override
            public void put(Table table, byte[] key, byte[] value) {
                map(table).put(key.clone(), value.clone());
            }

            @Override
            public void delete(Table table, byte[] key) {
                map(table).remove(key);
            }
        };
    }

    private NavigableMap<byte[], byte[]> map(Table table) {
        NavigableMap<byte[], byte[]> map = rows.get(table);
        if (map == null) {
            throw new IllegalArgumentException("table " + table.name() + " of " + durable + " is not volatile");
        }
        return map;
    }

    @Override
    public List<StoreFile> files() {
        return durable.files();
    }

    @Override
    public Optional<StoreFile> damageOf(StoreFile file) {
        return durable.damageOf(file);
    }

    @Override
    public void close() {
        durable.close();
    }

    @Override
    public String toString() {
        return durable.toString();
    }

    /** Reads volatile tables from the heap, and all other tables from a state of the durable store. */
    private class View implements ReadView {
        private final ReadView state;

        View(ReadView state) {
            this.state = state;
        }

        @Override
        public Optional<byte[]> get(Table table, byte[] key) {
            NavigableMap<byte[], byte[]> map = rows.get(table);
            return map == null
                    ? state.get(table, key)
                    : Optional.ofNullable(map.get(key)).map(byte[]::clone);
        }

        @Override
        public Cursor scan(Table table, byte[] from, byte[] to) {
            NavigableMap<byte[], byte[]> map = rows.get(table);
            return map == null ? state.scan(table, from, to) : new MapCursor(map, from, to);
        }

        @Override
        public ReadView newest() {
            return committed;
        }

        @Override
        public Optional<Derived> kept(Object question) {
            return state.kept(question);
        }

        @Override
        public void keep(Object question, Derived derived, Sources sources) {
            state.keep(question, derived, sources);
        }

        @Override
        public boolean keepsDerived() {
            return state.keepsDerived();
        }
    }

    private final class Moment extends View implements Snapshot {
        private final Snapshot snapshot;

        Moment(Snapshot snapshot) {
            super(snapshot);
            this.snapshot = snapshot;
        }

        @Override
        public void close() {
            snapshot.close();
        }
    }

    /** Reads a range of a map that other threads may change. */
    private static final class MapCursor implements ReadView.Cursor {
        private final Iterator<Map.Entry<byte[], byte[]>> rest;
        private Map.Entry<byte[], byte[]> row = Map.entry(new byte[0], new byte[0]);

        MapCursor(NavigableMap<byte[], byte[]> map, byte[] from, byte[] to) {
            this.rest = Arrays.compareUnsigned(from, to) >= 0
                    ? Collections.emptyIterator()
                    : map.subMap(from.clone(), true, to.clone(), false)
                            .entrySet()
                            .iterator();
        }

        @Override
        public boolean next() {
            if (!rest.hasNext()) {
                return false;
            }
            row = rest.next();
            return true;
        }

        @Override
        public byte[] key() {
            return row.getKey().clone();
        }

        @Override
        public byte[] value() {
            return row.getValue().clone();
        }

        @Override
        public void close() {}
    }
}
