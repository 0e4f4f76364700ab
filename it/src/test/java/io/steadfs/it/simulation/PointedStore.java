package io.steadfs.it.simulation;

import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.Table;
import java.io.IOException;
import java.util.Optional;
import java.util.TreeSet;

/** A process's store, with a crash point before and after each commit, by the tables that it changes. */
final class PointedStore implements Store {
    private final Store inner;
    private final SimulatedProcess process;
    private final CrashPoints points;

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
        pass(noting, "before");
        inner.commit(noting.inner, sync);
        pass(noting, "after");
    }

    private void pass(Noting noting, String when) throws IOException {
        for (String table : noting.tables) {
            if (!points.pass(process, process.role() + " commits " + table + ' ' + when)) {
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
