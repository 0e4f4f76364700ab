package io.steadfs.lab.torture;

import io.steadfs.lab.torture.OwnTree.Dir;
import io.steadfs.lab.torture.OwnTree.Fork;
import io.steadfs.lab.torture.OwnTree.Node;
import io.steadfs.lab.torture.OwnTree.Written;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * Checks the operations of one thread in its own directory. The check looks at every answer, and at the end at the
 * exact tree.
 *
 * <p>A change without an answer may have happened or not. The rooms of the change must then be exactly as before the
 * change, or exactly as after the change.
 */
final class OwnCheck {
    private final OwnReplay replay;
    private final Found found;
    private final List<String> differences = new ArrayList<>();
    private long acknowledged;
    private long acknowledgedBytes;

    OwnCheck(OwnPlace place, OwnReplay.Crashes crashes, Found found) {
        this.replay = new OwnReplay(place, crashes);
        this.found = found;
    }

    /** @param events operations of this thread, in their order */
    void run(List<Event> events) {
        for (Event event : events) {
            if (replay.concerns(event)) {
                acknowledged += event.ok() ? 1 : 0;
                replay.apply(event).ifPresent(wrong -> differences.add(event + ": " + wrong));
            }
        }
        if (!differences.isEmpty()) {
            // After a wrong answer, the expected tree is no longer known.
            return;
        }
        OwnPlace place = replay.place();
        TreeSet<String> expected = new TreeSet<>();
        for (Map.Entry<String, Node> room : replay.tree().root.entries.entrySet()) {
            expected.add(room.getKey());
            compare(place.absolute(room.getKey()), room.getValue())
                    .ifPresent(wrong -> differences.add("after all: " + wrong));
        }
        for (Fork fork : replay.tree().forks) {
            expected.addAll(OwnTree.rooms(fork.cause().op(), fork.cause().arguments()));
            compare(fork).ifPresent(differences::add);
        }
        for (String path : found.below(place.base())) {
            if (place.contains(path) && !expected.contains(place.relative(path))) {
                differences.add("after all: " + path + " is there, and nobody made it");
            }
        }
    }

    /** Compares the rooms of a fork with the file system. Returns empty if one of the fork's worlds exists. */
    private Optional<String> compare(Fork fork) {
        List<String> wrong = new ArrayList<>();
        for (Map<String, Node> world : fork.worlds()) {
            Map<String, Node> rooms = new TreeMap<>(world);
            Optional<String> first = Optional.empty();
            for (String room : OwnTree.rooms(fork.cause().op(), fork.cause().arguments())) {
                String path = replay.place().absolute(room);
                if (first.isEmpty()) {
                    Node expected = rooms.get(room);
                    first = expected != null
                            ? compare(path, expected)
                            : Optional.ofNullable(found.things().get(path))
                                    .map(thing -> path + " is there and should not be");
                }
            }
            if (first.isEmpty()) {
                return Optional.empty();
            }
            wrong.add(first.get());
        }
        return Optional.of("half done: " + fork.cause() + ": it was not done, for " + wrong.get(1)
                + "; it was not left undone, for " + wrong.get(0));
    }

    /** Compares one node and everything below the node. Returns the first difference; empty = none. */
    private Optional<String> compare(String path, Node expected) {
        Found.Thing thing = found.things().get(path);
        if (thing == null) {
            return Optional.of(path + " is not there");
        }
        if (expected instanceof Dir dir) {
            return compare(path, dir, thing);
        }
        return compare(path, (Written) expected, thing);
    }

    private Optional<String> compare(String path, Dir dir, Found.Thing thing) {
        if (!thing.info().directory()) {
            return Optional.of(path + " is no directory");
        }
        if (thing.info().mode() != dir.mode) {
            return Optional.of(
                    path + " has mode " + Integer.toOctalString(thing.info().mode()) + " and should have "
                            + Integer.toOctalString(dir.mode));
        }
        for (String below : found.below(path)) {
            if (!dir.entries.containsKey(below.substring(path.length() + 1))) {
                return Optional.of(below + " is there and should not be");
            }
        }
        for (Map.Entry<String, Node> entry : dir.entries.entrySet()) {
            Optional<String> wrong = compare(path + "/" + entry.getKey(), entry.getValue());
            if (wrong.isPresent()) {
                return wrong;
            }
        }
        return Optional.empty();
    }

    private Optional<String> compare(String path, Written file, Found.Thing thing) {
        if (thing.info().directory()) {
            return Optional.of(path + " is a directory and should be a file");
        }
        if (thing.reading().isEmpty()) {
            return Optional.of(path + " cannot be read");
        }
        Reading reading = thing.reading().get();
        acknowledgedBytes += replay.promised(file);
        if (reading.fileId() != 0 && reading.fileId() != file.id) {
            return Optional.of(path + " is file " + Long.toHexString(reading.fileId()) + " and should be file "
                    + Long.toHexString(file.id));
        }
        return replay.checkLength(file, reading.length()).map(wrong -> path + ": " + wrong);
    }

    List<String> differences() {
        return differences;
    }

    /** Returns the number of acknowledged operations that were checked. */
    long acknowledged() {
        return acknowledged;
    }

    /** Returns the number of acknowledged bytes that were read back and are right. */
    long acknowledgedBytes() {
        return acknowledgedBytes;
    }

    /** Returns the operations of a history by thread. */
    static Map<Integer, List<Event>> byThread(List<Event> events) {
        Map<Integer, List<Event>> threads = new HashMap<>();
        events.forEach(event -> threads.computeIfAbsent(event.thread(), key -> new ArrayList<>())
                .add(event));
        return threads;
    }
}
