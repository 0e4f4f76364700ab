package io.steadfs.mds.op;

import io.steadfs.store.Derived;
import io.steadfs.store.ReadView;
import io.steadfs.store.Sources;
import io.steadfs.store.Table;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/** A view that counts the single rows and the ranges that are read through it. */
public final class CountedReads implements ReadView {
    private final ReadView view;
    private final Map<Table, Integer> scans = new HashMap<>();
    private int rows;

    public CountedReads(ReadView view) {
        this.view = view;
    }

    public int rows() {
        return rows;
    }

    public int scans() {
        return scans.values().stream().mapToInt(Integer::intValue).sum();
    }

    public int scansOf(Table table) {
        return scans.getOrDefault(table, 0);
    }

    @Override
    public Optional<byte[]> get(Table table, byte[] key) {
        rows++;
        return view.get(table, key);
    }

    @Override
    public Cursor scan(Table table, byte[] from, byte[] to) {
        scans.merge(table, 1, Integer::sum);
        return view.scan(table, from, to);
    }

    @Override
    public Optional<Derived> kept(Object question) {
        return view.kept(question);
    }

    @Override
    public boolean keepsDerived() {
        return view.keepsDerived();
    }

    @Override
    public void keep(Object question, Derived derived, Sources sources) {
        view.keep(question, derived, sources);
    }
}
