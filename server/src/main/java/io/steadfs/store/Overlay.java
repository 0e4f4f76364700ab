package io.steadfs.store;

import java.util.Arrays;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * Collects changes of a state that are not committed yet. Reads of the overlay see the state with these changes.
 *
 * <p>The state below an overlay is the committed state, or another overlay. An overlay below another one is being
 * committed and gets no more changes:
 *
 * <pre>
 *  overlay of the batch that is being decided     one thread reads and changes it
 *  overlay of the batch that is being committed   two threads read it, no thread changes it
 *  committed state
 * </pre>
 *
 * While the lower overlay is being committed, its rows also appear in the committed state. So it does not matter
 * whether a reader finds a row in the lower overlay or in the committed state. After the commit, {@link #settle} drops
 * the lower overlay.
 *
 * <p>One thread owns an overlay. After {@link #close} several threads may read the overlay.
 */
public final class Overlay implements ReadView, WriteView, AutoCloseable {
    private final Store owner;
    private final Consumer<Table> usable;
    private final Map<Table, NavigableMap<byte[], Optional<byte[]>>> changes = new HashMap<>();
    private ReadView below;
    private boolean closed;

    /** Receives every change of an overlay. An empty value is a deletion. */
    public interface Visitor {
        void visit(Table table, byte[] key, Optional<byte[]> value);
    }

    /**
     * @param owner the store to which the overlay will be committed
     * @param below the state below the overlay
     * @param usable throws if the store is closed or does not have the table
     */
    public Overlay(Store owner, ReadView below, Consumer<Table> usable) {
        this.owner = owner;
        this.below = below;
        this.usable = usable;
    }

    /** The store to which this overlay is committed. */
    public Store owner() {
        return owner;
    }

    /** Throws if the store is closed or does not have the table. */
    void checkUsable(Table table) {
        usable.accept(table);
    }

    /**
     * Adds the changes of this overlay to an empty overlay of another store, but without the changes of some tables. Both
     * overlays share the rows, so neither may be changed any more.
     */
    void shareWithout(Set<Table> tables, Overlay other) {
        changes.forEach((table, rows) -> {
            if (!tables.contains(table)) {
                other.changes.put(table, rows);
            }
        });
        other.close();
    }

    /** An empty overlay over this overlay. */
    public Overlay above() {
        return new Overlay(owner, this, usable);
    }

    /** Replaces the overlay below by the committed state. Call this method after the overlay below was committed. */
    public void settle() {
        below = owner.committed();
    }

    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** Visits all changes, table by table, in key order. The visitor must not change the arrays. */
    public void forEach(Visitor visitor) {
        changes.forEach((table, rows) -> rows.forEach((key, value) -> visitor.visit(table, key, value)));
    }

    /** Visits the changes of one table in key order. The visitor must not change the arrays. */
    void forEach(Table table, BiConsumer<byte[], Optional<byte[]>> visitor) {
        changes.getOrDefault(table, Collections.emptyNavigableMap()).forEach(visitor);
    }

    @Override
    public Optional<byte[]> get(Table table, byte[] key) {
        NavigableMap<byte[], Optional<byte[]>> rows = changes.get(table);
        Optional<byte[]> change = rows == null ? null : rows.get(key);
        return change == null ? below.get(table, key) : change.map(byte[]::clone);
    }

    /** {@inheritDoc} Only the thread that changes the overlay may ask. */
    @Override
    public Optional<Store> sameIn(Table table) {
        if (changes.containsKey(table)) {
            return Optional.empty();
        }
        return below instanceof Overlay lower ? lower.sameIn(table) : Optional.of(owner);
    }

    @Override
    public Cursor scan(Table table, byte[] from, byte[] to) {
        Cursor rest = below.scan(table, from, to);
        NavigableMap<byte[], Optional<byte[]>> rows = changes.get(table);
        return rows == null ? rest : new OverlaidCursor(rows, rest, from.clone(), to.clone());
    }

    @Override
    public void put(Table table, byte[] key, byte[] value) {
        change(table, key, Optional.of(value.clone()));
    }

    @Override
    public void delete(Table table, byte[] key) {
        change(table, key, Optional.empty());
    }

    private void change(Table table, byte[] key, Optional<byte[]> value) {
        if (closed) {
            throw new IllegalStateException("overlay of " + owner + " is closed");
        }
        usable.accept(table);
        changes.computeIfAbsent(table, unused -> new TreeMap<>(Arrays::compareUnsigned))
                .put(key.clone(), value);
    }

    /** Closes the overlay for changes. Later changes are refused. */
    @Override
    public void close() {
        closed = true;
    }
}
