package io.steadfs.store.memory;

import io.steadfs.store.Overlay;
import io.steadfs.store.ReadView;
import io.steadfs.store.Store;
import io.steadfs.store.StoreClosedException;
import io.steadfs.store.Table;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;

/**
 * A {@link Store} in sorted maps. It remembers how to take back what was committed since the last synced commit, so that
 * {@link #crash} can lose it. {@link #failNextCommit} makes the disk fail.
 *
 * <p>{@link #crash}, {@link #reopen} and {@link #close} end this object; the former two answer its successor.
 */
public final class MemoryStore implements Store {
    private final List<Table> tables;
    private final Map<Table, TreeMap<byte[], byte[]>> rows = new HashMap<>();
    /** How to take back each commit not yet synced, row by row; the oldest commit first. */
    private final Deque<List<Runnable>> unsynced = new ArrayDeque<>();

    private boolean closed;
    private boolean failNext;
    private boolean failed;
    private long syncs;

    public MemoryStore(List<Table> tables) {
        this.tables = List.copyOf(tables);
        for (Table table : tables) {
            rows.put(table, new TreeMap<>(Arrays::compareUnsigned));
        }
    }

    private synchronized MemoryStore successor() {
        closed = true;
        MemoryStore next = new MemoryStore(tables);
        next.rows.putAll(rows);
        next.unsynced.addAll(unsynced);
        return next;
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
            unsynced.removeLast().forEach(Runnable::run);
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
        failNext = true;
    }

    /** Synced commits since this object was made. */
    public synchronized long syncs() {
        return syncs;
    }

    private static void set(Map<byte[], byte[]> map, byte[] key, Optional<byte[]> row) {
        row.ifPresentOrElse(value -> map.put(key, value), () -> map.remove(key));
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
        return Optional.ofNullable(map(table).get(key));
    }

    synchronized Optional<Map.Entry<byte[], byte[]>> rowFrom(Table table, byte[] key, boolean inclusive) {
        checkOpen();
        return Optional.ofNullable(
                inclusive ? map(table).ceilingEntry(key) : map(table).higherEntry(key));
    }

    @Override
    public synchronized Snapshot snapshot() {
        checkOpen();
        Map<Table, NavigableMap<byte[], byte[]>> copy = new HashMap<>();
        rows.forEach((table, map) -> copy.put(table, new TreeMap<>(map)));
        return new MemorySnapshot(this, copy);
    }

    @Override
    public synchronized Overlay overlay() {
        checkOpen();
        return new MemoryOverlay(this);
    }

    @Override
    public synchronized void commit(Overlay overlay, boolean sync) throws IOException {
        checkOpen();
        if (failed) {
            throw new IOException("memory store: an earlier commit failed");
        }
        if (failNext) {
            failed = true;
            throw new IOException("memory store: commit failed as the test asked");
        }
        if (!(overlay instanceof MemoryOverlay changes) || changes.store() != this) {
            throw new IllegalArgumentException("not an overlay of this memory store");
        }
        List<Runnable> undo = new ArrayList<>();
        changes.forEach((table, key, value) -> {
            Map<byte[], byte[]> map = map(table);
            Optional<byte[]> former = Optional.ofNullable(map.get(key));
            undo.add(() -> set(map, key, former));
            set(map, key, value);
        });
        unsynced.add(undo);
        if (sync) {
            unsynced.clear();
            syncs++;
        }
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
