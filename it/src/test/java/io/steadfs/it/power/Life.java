package io.steadfs.it.power;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;

/** What a disk holds from the moment that it gets power to the moment that it loses it. */
final class Life {
    /** Of a disk. */
    enum Power {
        ON,
        /** Lost: nothing changes any more, and nobody who asks is answered. */
        CUT,
        /** Lost, and all who would have heard of an answer are dead: whoever asks is told that there is no disk. */
        OVER
    }

    private static final int ROOT_MODE = 0755;

    private final AtomicLong numbers;
    private final StoredDirectory root;
    private long moments;

    Power power = Power.ON;
    /** Requests that came after the cut. */
    final List<Long> waiting = new ArrayList<>();

    /** A new disk. */
    Life(AtomicLong numbers) {
        this.numbers = numbers;
        this.root = new StoredDirectory(this, ROOT_MODE, 0, 0);
    }

    /** After a loss. */
    private Life(Life before, Map<StoredDirectory, Map<String, Node>> entries, Map<StoredFile, FileBytes> bytes) {
        this.numbers = before.numbers;
        this.root = (StoredDirectory) copy(before.root, entries, bytes, new HashMap<>());
    }

    private Node copy(
            Node old,
            Map<StoredDirectory, Map<String, Node>> entries,
            Map<StoredFile, FileBytes> bytes,
            Map<Node, Node> copied) {
        Node known = copied.get(old);
        if (known != null) {
            return known;
        }
        Node fresh;
        if (old instanceof StoredFile file) {
            fresh = new StoredFile(this, file.mode, file.uid, file.gid, bytes.getOrDefault(file, new FileBytes()));
        } else {
            Map<String, Node> below = new HashMap<>();
            entries.getOrDefault((StoredDirectory) old, Map.of())
                    .forEach((name, node) -> below.put(name, copy(node, entries, bytes, copied)));
            fresh = new StoredDirectory(this, old.mode, old.uid, old.gid, below);
        }
        fresh.modifiedMillis = old.modifiedMillis;
        copied.put(old, fresh);
        return fresh;
    }

    long nextNumber() {
        return numbers.incrementAndGet();
    }

    /** Of a change of entries. */
    long nextMoment() {
        return moments++;
    }

    StoredDirectory root() {
        return root;
    }

    /** What is left of this life; adds to the loss what is not. */
    Life survivor(Luck luck, Loss.Count loss) {
        Map<StoredDirectory, Map<String, Node>> entries = new HashMap<>();
        Map<StoredFile, FileBytes> bytes = new HashMap<>();
        reach(root, luck, loss, entries, bytes);
        Set<Long> kept = kept(entries.keySet(), luck, loss);
        entries.replaceAll((directory, unused) -> {
            TreeMap<String, Node> left = new TreeMap<>(directory.durable());
            directory.unsynced().stream()
                    .filter(change -> kept.contains(change.moment()))
                    .forEach(change -> change.apply(left));
            return left;
        });
        return new Life(this, entries, bytes);
    }

    /** Finds everything that has a name, had one, or may have one after the loss. */
    private static void reach(
            Node node,
            Luck luck,
            Loss.Count loss,
            Map<StoredDirectory, Map<String, Node>> entries,
            Map<StoredFile, FileBytes> bytes) {
        if (node instanceof StoredFile file) {
            if (!bytes.containsKey(file)) {
                bytes.put(file, file.bytes.survivor(luck, loss));
            }
        } else if (node instanceof StoredDirectory directory && entries.put(directory, Map.of()) == null) {
            directory.durable().values().forEach(below -> reach(below, luck, loss, entries, bytes));
            directory.entries().values().forEach(below -> reach(below, luck, loss, entries, bytes));
            directory.unsynced().forEach(change -> reach(change.node(), luck, loss, entries, bytes));
        }
    }

    /** Moments whose changes of directories are there after the loss: a rename's both names or none. */
    private static Set<Long> kept(Set<StoredDirectory> directories, Luck luck, Loss.Count loss) {
        TreeSet<Long> moments = new TreeSet<>();
        directories.forEach(directory -> directory.unsynced().forEach(change -> moments.add(change.moment())));
        Set<Long> kept = new TreeSet<>();
        boolean all = true;
        for (long moment : moments) {
            boolean keeps = luck.keeps();
            all = all && keeps;
            if (luck.ordered() ? all : keeps) {
                kept.add(moment);
            }
        }
        directories.forEach(directory -> directory.unsynced().stream()
                .filter(change -> !kept.contains(change.moment()))
                .forEach(change -> loss.droppedNames.add((change.appeared() ? "+" : "-") + change.name())));
        loss.keptEntries += kept.size();
        loss.droppedEntries += moments.size() - kept.size();
        return kept;
    }
}
