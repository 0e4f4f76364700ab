package io.steadfs.store.memory;

import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.StoreClosedException;
import io.steadfs.store.Table;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Consumer;

/**
 * A {@link Store} in sorted maps. It remembers how to take back what was committed since the last synced commit, so that
 * {@link #crash} can lose it. {@link #failNextCommit} makes the disk fail.
 *
 * <p>{@link #crash}, {@link #reopen} and {@link #close} end this object; the former two answer its successor.
 */
public final class MemoryStore implements Store {
    private final List<Table> tables;
    private final Map<Table, TreeMap<byte[], byte[]>> rows = new HashMap<>();
    /** Tables whose map a snapshot has too, so that the next change is made in a copy. */
    private final Set<Table> shared = new HashSet<>();
    /** How to take back each commit not yet synced, row by row; the oldest commit first. Done by whoever has the rows. */
    private final Deque<List<Consumer<MemoryStore>>> unsynced = new ArrayDeque<>();

    /** Rows that the disk has and cannot read, until they are written anew. */
    private final Map<Table, NavigableSet<byte[]>> rotten = new HashMap<>();

    private boolean closed;
    private boolean failNext;
    private boolean keepNext;

    /** Of the commit that failed, if the disk has it nevertheless. */
    private Optional<Overlay> doubtful = Optional.empty();

    private boolean failed;
    private long syncs;

    public MemoryStore(List<Table> tables) {
        this.tables = List.copyOf(tables);
        for (Table table : tables) {
            rows.put(table, new TreeMap<>(Arrays::compareUnsigned));
        }
    }

    /** From now on whoever reads the row fails, as RocksDB does at a block that does not match its checksum. */
    public synchronized void rot(Table table, byte[] key) {
        rottenOf(table).add(key.clone());
    }

    /** All rows can be read again. */
    public synchronized void mend() {
        rotten.clear();
    }

    private NavigableSet<byte[]> rottenOf(Table table) {
        return rotten.computeIfAbsent(table, unused -> new TreeSet<>(Arrays::compareUnsigned));
    }

    private void checkReadable(Table table, byte[] key) {
        if (!rotten.isEmpty() && rottenOf(table).contains(key)) {
            throw new UncheckedIOException(
                    new IOException("memory store: a row of table " + table.name() + " is rotten, as the test asked"));
        }
    }

    private synchronized MemoryStore successor() {
        closed = true;
        MemoryStore next = new MemoryStore(tables);
        next.rows.putAll(rows);
        next.shared.addAll(shared);
        next.rotten.putAll(rotten);
        next.unsynced.addAll(unsynced);
        doubtful.ifPresent(found -> {
            next.apply(found);
            // As RocksDB does, opening writes what the log had, all of it, to tables of its own.
            next.unsynced.clear();
        });
        return next;
    }

    /** Another store with the rows that this one has now, all of them synced. Neither sees what changes in the other. */
    public synchronized MemoryStore copy() {
        checkOpen();
        MemoryStore copy = new MemoryStore(tables);
        shared.addAll(tables);
        copy.rows.putAll(rows);
        copy.shared.addAll(tables);
        return copy;
    }

    /** The process ends and starts again; the machine stays up, so nothing is lost. */
    public MemoryStore reopen() {
        return successor();
    }

    /** The machine stops: all commits after the last synced one are lost. */
    public MemoryStore crash() {
        return crash(0);
    }

    /** As {@link #crash()}, but the disk happened to keep so many of the commits that were not synced. */
    public synchronized MemoryStore crash(int kept) {
        while (unsynced.size() > kept) {
            unsynced.removeLast().forEach(undo -> undo.accept(this));
        }
        // What is on the disk after a crash stays there.
        unsynced.clear();
        return successor();
    }

    public synchronized int unsyncedCommits() {
        return unsynced.size();
    }

    /** The next commit fails and keeps nothing; all later ones are refused. */
    public synchronized void failNextCommit() {
        failNextCommit(false);
    }

    /** The next commit fails and all later ones are refused; whether the disk has it is seen when it is opened again. */
    public synchronized void failNextCommit(boolean keeps) {
        failNext = true;
        keepNext = keeps;
    }

    /** Synced commits since this object was made. */
    public synchronized long syncs() {
        return syncs;
    }

    private void set(Table table, byte[] key, Optional<byte[]> row) {
        NavigableMap<byte[], byte[]> map = map(table);
        if (!rotten.isEmpty()) {
            rottenOf(table).remove(key);
        }
        if (shared.remove(table)) {
            TreeMap<byte[], byte[]> copy = new TreeMap<>(map);
            rows.put(table, copy);
            map = copy;
        }
        if (row.isPresent()) {
            map.put(key, row.get());
        } else {
            map.remove(key);
        }
    }

    private NavigableMap<byte[], byte[]> map(Table table) {
        NavigableMap<byte[], byte[]> map = rows.get(table);
        if (map == null) {
            throw new IllegalArgumentException("memory store was opened without table " + table.name());
        }
        return map;
    }

    private void checkOpen() {
        if (closed) {
            throw new StoreClosedException("memory store");
        }
    }

    @Override
    public ReadView committed() {
        return new MemoryView(this, this::row, this::rowFrom);
    }

    private synchronized Optional<byte[]> row(Table table, byte[] key) {
        checkOpen();
        Optional<byte[]> found = Optional.ofNullable(map(table).get(key));
        checkReadable(table, key);
        return found;
    }

    synchronized Optional<Map.Entry<byte[], byte[]>> rowFrom(Table table, byte[] key, boolean inclusive) {
        checkOpen();
        Optional<Map.Entry<byte[], byte[]>> found = Optional.ofNullable(
                inclusive ? map(table).ceilingEntry(key) : map(table).higherEntry(key));
        found.ifPresent(row -> checkReadable(table, row.getKey()));
        return found;
    }

    @Override
    public synchronized Snapshot snapshot() {
        checkOpen();
        shared.addAll(tables);
        return new MemorySnapshot(this, new HashMap<>(rows));
    }

    @Override
    public synchronized Overlay overlay() {
        checkOpen();
        return new Overlay(this, committed(), this::checkUsable);
    }

    @Override
    public synchronized void commit(Overlay overlay, boolean sync) throws IOException {
        checkOpen();
        if (failed) {
            throw new IOException("memory store: an earlier commit failed");
        }
        if (overlay.owner() != this) {
            throw new IllegalArgumentException("not an overlay of this memory store");
        }
        if (failNext) {
            failed = true;
            doubtful = keepNext ? Optional.of(overlay) : Optional.empty();
            throw new IOException("memory store: commit failed as the test asked");
        }
        apply(overlay);
        if (sync) {
            unsynced.clear();
            syncs++;
        }
    }

    private void apply(Overlay changes) {
        List<Consumer<MemoryStore>> undo = new ArrayList<>();
        changes.forEach((table, key, value) -> {
            Optional<byte[]> former = Optional.ofNullable(map(table).get(key));
            undo.add(store -> store.set(table, key, former));
            set(table, key, value);
        });
        unsynced.add(undo);
    }

    synchronized void checkUsable(Table table) {
        checkOpen();
        map(table);
    }

    @Override
    public synchronized void close() {
        closed = true;
    }
}
