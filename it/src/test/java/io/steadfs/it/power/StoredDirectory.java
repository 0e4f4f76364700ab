package io.steadfs.it.power;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * A directory: its entries now, its durable ones, and the changes between them. A sync of the directory, and nothing else,
 * makes its changes durable: that of a file in it does not, as POSIX has it.
 */
final class StoredDirectory extends Node {
    private static final int TYPE = 0040000;
    private static final int PERMISSIONS = 07777;

    private final TreeMap<String, Node> entries;
    private final TreeMap<String, Node> durable;
    private final List<Change> unsynced = new ArrayList<>();

    /**
     * One name that appeared or went.
     *
     * @param moment the same for both names of a rename; rises with time
     * @param node that it leads to, or led to
     */
    record Change(long moment, String name, Node node, boolean appeared) {
        void apply(Map<String, Node> entries) {
            if (appeared) {
                entries.put(name, node);
            } else {
                entries.remove(name, node);
            }
        }
    }

    StoredDirectory(Life life, int mode, int uid, int gid) {
        this(life, mode, uid, gid, Map.of());
    }

    /** @param durable entries; not changed */
    StoredDirectory(Life life, int mode, int uid, int gid, Map<String, Node> durable) {
        super(life, TYPE | (mode & PERMISSIONS), uid, gid);
        this.entries = new TreeMap<>(durable);
        this.durable = new TreeMap<>(durable);
    }

    @Override
    long size() {
        return FileBytes.PAGE;
    }

    Map<String, Node> entries() {
        return entries;
    }

    Map<String, Node> durable() {
        return durable;
    }

    List<Change> unsynced() {
        return unsynced;
    }

    Node find(String name) throws Refusal {
        Node node = entries.get(name);
        if (node == null) {
            throw new Refusal(Refusal.NO_ENTRY);
        }
        return node;
    }

    /** The name leads there from now on, whatever it led to before. */
    void put(long moment, String name, Node node) {
        change(new Change(moment, name, node, true));
    }

    void remove(long moment, String name, Node node) {
        change(new Change(moment, name, node, false));
    }

    private void change(Change change) {
        change.apply(entries);
        unsynced.add(change);
        modifiedMillis = System.currentTimeMillis();
    }

    void sync() {
        unsynced.forEach(change -> change.apply(durable));
        unsynced.clear();
    }
}
