package io.steadfs.store;

import java.util.Arrays;
import java.util.HashMap;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/**
 * Changes not yet committed, over a state; reads see both.
 *
 * <p>The state is the committed one, or another overlay that is being committed and gets no more changes:
 *
 * <pre>
 *  overlay of the batch that is being decided     one thread reads and changes it
 *  overlay of the batch that is being committed   two threads read it, nobody changes it
 *  committed state
 * </pre>
 *
 * While the lower overlay is being committed, its rows appear in the committed state too. So it does not matter where a reader finds them.
 * When the commit is done, {@link #settle} drops the lower overlay.
 *
 * <p>Owned by one thread; after {@link #close} several may read it.
 */
public final class Overlay implements ReadView, WriteView, AutoCloseable {
    private final Store owner;
    private final Consumer<Table> usable;
    private final Map<Table, NavigableMap<byte[], Optional<byte[]>>> changes = new HashMap<>();
    private ReadView below;
    private boolean closed;

    /** Gets every change; an empty value is a deletion. */
    public interface Visitor {
        void visit(Table table, byte[] key, Optional<byte[]> value);
    }

    /**
     * @param owner the store that the overlay is committed to
     * @param usable throws if the owner is closed, or does not have the table
     */
    public Overlay(Store owner, ReadView below, Consumer<Table> usable) {
        this.owner = owner;
        this.below = below;
        this.usable = usable;
    }

    /** The store that the overlay is committed to. */
    public Store owner() {
        return owner;
    }

    /** An empty overlay over the state that this one leads to. */
    public Overlay above() {
        return new Overlay(owner, this, usable);
    }

    /** To be called when the overlay below was committed: from then on its rows are read from the committed state. */
    public void settle() {
        below = owner.committed();
    }

    public boolean isEmpty() {
        return changes.isEmpty();
    }

    /** Visits all changes, table by table, in key order. The arrays must not be changed. */
    public void forEach(Visitor visitor) {
        changes.forEach((table, rows) -> rows.forEach((key, value) -> visitor.visit(table, key, value)));
    }

    @Override
    public Optional<byte[]> get(Table table, byte[] key) {
        NavigableMap<byte[], Optional<byte[]>> rows = changes.get(table);
        Optional<byte[]> change = rows == null ? null : rows.get(key);
        return change == null ? below.get(table, key) : change.map(byte[]::clone);
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

    /** Ends the changes. */
    @Override
    public void close() {
        closed = true;
    }
}
