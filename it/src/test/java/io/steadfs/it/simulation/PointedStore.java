package io.steadfs.it.simulation;

import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
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
        return inner.overlay();
    }

    @Override
    public void commit(Overlay overlay, boolean sync) throws IOException {
        Set<String> tables = new TreeSet<>();
        overlay.forEach((table, key, value) -> tables.add(table.name()));
        pass(tables, 0);
        inner.commit(overlay, sync);
        pass(tables, 1);
    }

    private void pass(Set<String> tables, int when) throws IOException {
        for (String table : tables) {
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
}
