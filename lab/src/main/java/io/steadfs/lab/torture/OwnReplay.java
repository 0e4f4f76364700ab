package io.steadfs.lab.torture;

import io.steadfs.lab.torture.OwnTree.Dir;
import io.steadfs.lab.torture.OwnTree.Node;
import io.steadfs.lab.torture.OwnTree.Written;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

/**
 * Follows the operations of one thread in its own directory, and reports every wrong answer. The client uses the replay
 * to choose its next operation. The harness uses the replay to compute what must exist at the end.
 */
final class OwnReplay {
    /** Tells whether an IO server crashed in a given time. A crash may lose bytes that were written but not synced. */
    interface Crashes {
        boolean ioServer(long fromNanos, long untilNanos);
    }

    private final OwnPlace place;
    private final Crashes crashes;
    private final OwnTree tree = new OwnTree();
    private final Map<Long, Written> files = new HashMap<>();
    private final Map<Long, Long> createdNanos = new HashMap<>();

    OwnReplay(OwnPlace place, Crashes crashes) {
        this.place = place;
        this.crashes = crashes;
    }

    OwnTree tree() {
        return tree;
    }

    OwnPlace place() {
        return place;
    }

    /** Returns whether the operation concerns a name of the thread, or a file that was created under such a name. */
    boolean concerns(Event event) {
        return switch (event.op()) {
            case WRITE, HFLUSH, HSYNC, CLOSE -> files.containsKey(event.number(0));
            default -> isListingOfAll(event) || place.contains(event.argument(0));
        };
    }

    private boolean isListingOfAll(Event event) {
        return event.op() == Event.Op.LIST && event.argument(0).equals(place.base());
    }

    /** Applies an operation. Returns what is wrong with its answer; empty = nothing is wrong. */
    Optional<String> apply(Event event) {
        if (isListingOfAll(event)) {
            return listAll(event);
        }
        return switch (event.op()) {
            case MKDIR, CREATE, RENAME, DELETE, MODE -> change(event);
            case APPEND -> append(event);
            case WRITE, HFLUSH, HSYNC, CLOSE -> write(event);
            case READ -> passed(event).or(() -> read(event));
            case STAT -> passed(event).or(() -> stat(event));
            case LIST -> passed(event).or(() -> list(event));
        };
    }

    /** Returns what is wrong if the operation passed a directory that was closed before it began. */
    private Optional<String> passed(Event event) {
        String path = place.relative(event.argument(0));
        return event.ok() && !tree.retired(OwnTree.room(path)) && tree.isBarred(path)
                ? Optional.of("a directory above it was closed, but it was answered")
                : Optional.empty();
    }

    private Optional<String> change(Event event) {
        Event relative = relative(event);
        for (String room : OwnTree.rooms(relative.op(), relative.arguments())) {
            if (tree.retired(room)) {
                return Optional.of("a fault of the harness: it went on with " + place.absolute(room));
            }
        }
        if (event.unknown()) {
            tree.fork(relative);
            return Optional.empty();
        }
        if (event.refused()) {
            // The check uses a copy, so that a wrong refusal does not change the expected tree.
            OwnTree copy = new OwnTree();
            copy.root.entries.putAll(tree.root.copy().entries);
            String expected = copy.change(relative.op(), relative.arguments());
            return expected.equals("OK")
                    ? Optional.of("expected it to be done, was refused: " + event.outcome())
                    : Optional.empty();
        }
        String expected = tree.change(relative.op(), relative.arguments());
        if (!expected.equals("OK")) {
            return Optional.of("expected " + expected + ", but it was done");
        }
        if (event.op() == Event.Op.CREATE && tree.find(relative.argument(0)).orElseThrow() instanceof Written file) {
            files.put(file.id, file);
            createdNanos.put(file.id, event.beginNanos());
        }
        return Optional.empty();
    }

    private Event relative(Event event) {
        List<String> arguments = new java.util.ArrayList<>(event.arguments());
        arguments.set(0, place.relative(arguments.get(0)));
        if (event.op() == Event.Op.RENAME) {
            arguments.set(1, place.relative(arguments.get(1)));
        }
        return new Event(
                event.client(),
                event.id(),
                event.thread(),
                event.op(),
                List.copyOf(arguments),
                event.beginNanos(),
                event.endNanos(),
                event.outcome(),
                event.results());
    }

    private Optional<String> append(Event event) {
        Written file = files.get(event.number(1));
        if (file == null) {
            return Optional.of("a fault of the harness: no such file");
        }
        if (event.ok()) {
            file.closed = false;
            long length = Long.parseLong(event.results().get(0));
            if (length != file.synced) {
                return Optional.of("expected it to be continued at " + file.synced + ", was at " + length);
            }
        } else if (event.unknown()) {
            // The file may have been opened without a writer. The bytes of the file are unchanged.
            file.broken = true;
        }
        return Optional.empty();
    }

    private Optional<String> write(Event event) {
        Written file = files.get(event.number(0));
        if (file == null) {
            return Optional.of("a fault of the harness: no such file");
        }
        long position = event.number(1);
        file.written = Math.max(file.written, position);
        if (!event.ok()) {
            file.broken = true;
            return event.outcome().equals("CORRUPT") ? Optional.of("bytes were damaged") : Optional.empty();
        }
        switch (event.op()) {
            case HFLUSH -> {
                file.flushed = Math.max(file.flushed, position);
                file.flushedNanos = event.endNanos();
            }
            case HSYNC -> file.synced = Math.max(file.synced, position);
            case CLOSE -> {
                file.synced = Math.max(file.synced, position);
                file.closed = true;
            }
            default -> {}
        }
        return Optional.empty();
    }

    private Optional<Node> expected(Event event) {
        String path = place.relative(event.argument(0));
        return tree.retired(OwnTree.room(path)) ? Optional.empty() : tree.find(path);
    }

    private Optional<String> read(Event event) {
        Optional<Node> expected = expected(event);
        if (event.outcome().equals("CORRUPT")) {
            return expected.isPresent() && expected.get() instanceof Written file && mayHaveLost(file, event)
                    ? Optional.empty()
                    : Optional.of("damaged bytes: " + event.results());
        }
        if (event.ok() && Long.parseLong(event.results().get(1)) >= 0) {
            return Optional.of("byte at offset " + event.results().get(1) + " of "
                    + event.results().get(0) + " is not the one that was written");
        }
        if (expected.isEmpty() || !(expected.get() instanceof Written file)) {
            return Optional.empty();
        }
        if (event.refused()) {
            return Optional.of("expected " + length(file) + ", was refused: " + event.outcome());
        }
        return event.ok() ? checkLength(file, Long.parseLong(event.results().get(0))) : Optional.empty();
    }

    /**
     * Returns whether a crash may explain the bytes that a read missed. A crash takes bytes only from a file that is
     * not closed.
     */
    private boolean mayHaveLost(Written file, Event read) {
        OptionalLong offset = LostTail.offset(read);
        return !file.closed
                && offset.isPresent()
                && offset.getAsLong() >= file.synced
                && crashes.ioServer(created(file), read.endNanos());
    }

    private long created(Written file) {
        return createdNanos.getOrDefault(file.id, Long.MIN_VALUE);
    }

    /** Checks whether a file may have this length. Returns what is wrong; empty = nothing is wrong. */
    Optional<String> checkLength(Written file, long length) {
        boolean right = file.closed
                ? length == file.synced
                : length >= promised(file) && length <= Math.max(file.written, file.synced);
        return right ? Optional.empty() : Optional.of("expected " + length(file) + ", found length " + length);
    }

    /** Returns the least length that a file must have. */
    long promised(Written file) {
        return crashes.ioServer(created(file), Event.NEVER) ? file.synced : Math.max(file.synced, file.flushed);
    }

    private String length(Written file) {
        String id = "file " + Long.toHexString(file.id);
        return file.closed
                ? id + " of length " + file.synced + " (closed)"
                : id + " of length " + promised(file) + " to " + Math.max(file.written, file.synced) + " (flushed "
                        + file.flushed + ", synced " + file.synced + ")";
    }

    private Optional<String> stat(Event event) {
        Optional<Node> expected = expected(event);
        if (expected.isEmpty() || (event.unknown() && !event.ok())) {
            return Optional.empty();
        }
        if (event.refused()) {
            return Optional.of("expected it to be there, was refused: " + event.outcome());
        }
        boolean directory = event.results().get(0).equals("D");
        if (directory != expected.get() instanceof Dir) {
            return Optional.of("expected a " + (directory ? "file" : "directory") + ", found the other");
        }
        if (expected.get() instanceof Dir dir
                && Integer.parseInt(event.results().get(3), 8) != dir.mode) {
            return Optional.of("expected mode " + Integer.toOctalString(dir.mode));
        }
        if (expected.get() instanceof Written file) {
            return checkLength(file, Long.parseLong(event.results().get(1)));
        }
        return Optional.empty();
    }

    private Optional<String> list(Event event) {
        Optional<Node> expected = expected(event);
        if (expected.isEmpty() || !(expected.get() instanceof Dir directory) || event.unknown()) {
            return Optional.empty();
        }
        return listed(event, directory, event.results());
    }

    /** Checks a listing of the directory that has the names of several threads. Its results are the thread's names. */
    private Optional<String> listAll(Event event) {
        List<String> known =
                event.results().stream().filter(name -> !tree.retired(name)).toList();
        return event.unknown() ? Optional.empty() : listed(event, tree.root, known);
    }

    private static Optional<String> listed(Event event, Dir directory, List<String> names) {
        if (event.refused()) {
            return Optional.of("expected a listing, was refused: " + event.outcome());
        }
        TreeSet<String> found = new TreeSet<>(names);
        return found.equals(directory.entries.keySet()) && found.size() == names.size()
                ? Optional.empty()
                : Optional.of("expected entries " + directory.entries.keySet() + ", found " + names);
    }
}
