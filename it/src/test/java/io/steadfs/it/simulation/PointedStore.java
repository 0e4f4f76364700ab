package io.steadfs.it.simulation;

import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.Table;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;

/** A process's store, with a crash point before and after each commit, by the tables that it changes. */
final class PointedStore implements Store {
    private final Store inner;
    private final SimulatedProcess process;
    private final CrashPoints points;

    /** Before and after a commit that changes a table, by its name. */
    private final Map<String, String[]> places = new HashMap<>();

    PointedStore(Store inner, SimulatedProcess process, CrashPoints points) {
        this.inner = inner;
        this.process = process;
        this.points = points;
    }

    @Override
    public ReadView committed() {
        return inner.committed();
    }

    @Override
    public Snapshot snapshot() {
        return inner.snapshot();
    }

    @Override
    public Overlay overlay() {
        return new Noting(inner.overlay());
    }

    @Override
    public void commit(Overlay overlay, boolean sync) throws IOException {
        Noting noting = (Noting) overlay;
        pass(noting, 0);
        inner.commit(noting.inner, sync);
        pass(noting, 1);
    }

    private void pass(Noting noting, int when) throws IOException {
        for (String table : noting.tables) {
            String[] place = places.computeIfAbsent(table, name -> {
                String commits = process.role() + " commits " + name;
                return new String[] {commits + " before", commits + " after"};
            });
            if (!points.pass(process, place[when])) {
                throw new IOException(process + " is dead");
            }
        }
    }

    @Override
    public void close() {
        inner.close();
    }

    private static final class Noting implements Overlay {
        private final Overlay inner;
        private final TreeSet<String> tables = new TreeSet<>();

        Noting(Overlay inner) {
            this.inner = inner;
        }

        @Override
        public boolean isEmpty() {
            return inner.isEmpty();
        }

        @Override
        public Optional<byte[]> get(Table table, byte[] key) {
            return inner.get(table, key);
        }

        @Override
        public Cursor scan(Table table, byte[] from, byte[] to) {
            return inner.scan(table, from, to);
        }

        @Override
        public void put(Table table, byte[] key, byte[] value) {
            tables.add(table.name());
            inner.put(table, key, value);
        }

        @Override
        public void delete(Table table, byte[] key) {
            tables.add(table.name());
            inner.delete(table, key);
        }

        @Override
        public void close() {
            inner.close();
        }
    }
}
