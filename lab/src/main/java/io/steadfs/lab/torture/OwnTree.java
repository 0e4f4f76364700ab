package io.steadfs.lab.torture;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * The exact expected contents of a part of the file system that only one thread changes. Paths are relative. The first
 * component of a path is called a room.
 *
 * <p>A change whose outcome is unknown leaves two possible worlds. The rooms of the change are then
 * {@link #fork retired}: the thread never touches a retired room again. At the end, the rooms must be as in one of the
 * two worlds.
 *
 * <p>Bytes of a file that is still being written belong to the file and not to a world.
 */
final class OwnTree {
    /** A directory or a file. */
    sealed interface Node permits Dir, Written {}

    /** A directory. */
    static final class Dir implements Node {
        static final int USUAL_MODE = 0755;

        private static final int OWNER_EXECUTE = 0100;

        final TreeMap<String, Node> entries = new TreeMap<>();
        int mode = USUAL_MODE;

        /** Whether its owner may pass it. */
        boolean isOpen() {
            return (mode & OWNER_EXECUTE) != 0;
        }

        Dir copy() {
            Dir copy = new Dir();
            copy.mode = mode;
            entries.forEach((name, node) -> copy.entries.put(name, node instanceof Dir dir ? dir.copy() : node));
            return copy;
        }
    }

    /**
     * A file, with the writes that a client asked for and the writes that were acknowledged. Positions are lengths in
     * bytes.
     */
    static final class Written implements Node {
        final long id;
        /** Length that a client handed over, acknowledged or not. */
        long written;
        /** Length that an acknowledged hflush covers. */
        long flushed;

        long flushedNanos;
        /** Length that an acknowledged hsync or close covers. */
        long synced;
        /** Whether the close was acknowledged. The length of a closed file is exactly {@link #synced}. */
        boolean closed;
        /** Whether the writer of the file failed. Nobody writes to the file any more. */
        boolean broken;

        Written(long id) {
            this.id = id;
        }
    }

    /**
     * The possible worlds of an operation with unknown outcome. Each world holds the rooms of the operation by name.
     */
    record Fork(Event cause, List<Map<String, Node>> worlds) {}

    final Dir root = new Dir();
    final List<Fork> forks = new ArrayList<>();

    static String room(String path) {
        int slash = path.indexOf('/');
        return slash < 0 ? path : path.substring(0, slash);
    }

    /** Returns what has the path; empty also if a directory above it is closed to its owner. */
    Optional<Node> find(String path) {
        return find(root, path);
    }

    /** Returns whether a directory above the path is closed to its owner. */
    boolean isBarred(String path) {
        return above(path).anyMatch(dir -> !dir.isOpen());
    }

    private Stream<Dir> above(String path) {
        List<Dir> above = new ArrayList<>();
        Node node = root;
        for (String name : path.split("/", -1)) {
            if (!(node instanceof Dir dir)) {
                break;
            }
            above.add(dir);
            node = dir.entries.get(name);
        }
        return above.stream();
    }

    private static Optional<Node> find(Dir from, String path) {
        Node node = from;
        for (String name : path.split("/", -1)) {
            Node next = node instanceof Dir dir && dir.isOpen() ? dir.entries.get(name) : null;
            if (next == null) {
                return Optional.empty();
            }
            node = next;
        }
        return Optional.of(node);
    }

    private static Optional<Dir> parent(Dir from, String path) {
        int slash = path.lastIndexOf('/');
        if (slash < 0) {
            return Optional.of(from);
        }
        return find(from, path.substring(0, slash))
                .filter(Dir.class::isInstance)
                .map(Dir.class::cast)
                .filter(Dir::isOpen);
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }

    /**
     * Makes a change if the namespace allows it. Returns the right answer to the change: {@code OK} or the name of an
     * error.
     */
    String change(Event.Op op, List<String> arguments) {
        return change(root, op, arguments);
    }

    private static String change(Dir root, Event.Op op, List<String> arguments) {
        return switch (op) {
            case MKDIR -> mkdir(root, arguments.get(0));
            case CREATE ->
                create(
                        root,
                        arguments.get(0),
                        Long.parseLong(arguments.get(1)),
                        arguments.get(2).equals("overwrite"));
            case RENAME -> rename(root, arguments.get(0), arguments.get(1), arguments.get(2));
            case DELETE -> delete(root, arguments.get(0), arguments.get(1).equals("recursive"));
            case MODE -> mode(root, arguments.get(0), Integer.parseInt(arguments.get(1), 8));
            default -> throw new IllegalArgumentException(op + " changes no name");
        };
    }

    private static String mkdir(Dir root, String path) {
        Optional<Dir> parent = parent(root, path);
        if (parent.isEmpty()) {
            return "NOT_FOUND";
        }
        return parent.get().entries.putIfAbsent(name(path), new Dir()) == null ? "OK" : "ALREADY_EXISTS";
    }

    private static String create(Dir root, String path, long id, boolean overwrite) {
        Optional<Dir> parent = parent(root, path);
        if (parent.isEmpty()) {
            return "NOT_FOUND";
        }
        Node there = parent.get().entries.get(name(path));
        if (there instanceof Dir) {
            return overwrite ? "IS_A_DIRECTORY" : "ALREADY_EXISTS";
        }
        if (there != null && !overwrite) {
            return "ALREADY_EXISTS";
        }
        parent.get().entries.put(name(path), new Written(id));
        return "OK";
    }

    private static String rename(Dir root, String source, String target, String mode) {
        Optional<Node> moved = find(root, source);
        Optional<Dir> from = parent(root, source);
        Optional<Dir> to = parent(root, target);
        if (moved.isEmpty() || from.isEmpty() || to.isEmpty()) {
            return "NOT_FOUND";
        }
        if (target.startsWith(source + "/")) {
            return "INVALID_RENAME";
        }
        Node there = to.get().entries.get(name(target));
        if (there != null && mode.equals("NO_REPLACE")) {
            return "ALREADY_EXISTS";
        }
        if (there instanceof Dir dir) {
            if (moved.get() instanceof Written) {
                return "IS_A_DIRECTORY";
            }
            if (!dir.entries.isEmpty()) {
                return "NOT_EMPTY";
            }
        } else if (there != null && moved.get() instanceof Dir) {
            return "NOT_A_DIRECTORY";
        }
        from.get().entries.remove(name(source));
        to.get().entries.put(name(target), moved.get());
        return "OK";
    }

    private static String delete(Dir root, String path, boolean recursive) {
        Optional<Node> there = find(root, path);
        Optional<Dir> parent = parent(root, path);
        if (there.isEmpty() || parent.isEmpty()) {
            return "NOT_FOUND";
        }
        if (!recursive && there.get() instanceof Dir dir && !dir.entries.isEmpty()) {
            return "NOT_EMPTY";
        }
        if (there.get() instanceof Dir dir && hasClosed(dir)) {
            return "PERMISSION_DENIED";
        }
        parent.get().entries.remove(name(path));
        return "OK";
    }

    /** Returns whether a directory with entries, the given one or below it, is closed to its owner. */
    static boolean hasClosed(Dir directory) {
        return (!directory.isOpen() && !directory.entries.isEmpty())
                || directory.entries.values().stream().anyMatch(node -> node instanceof Dir below && hasClosed(below));
    }

    private static String mode(Dir root, String path, int mode) {
        Optional<Node> there = find(root, path);
        if (there.isEmpty() || !(there.get() instanceof Dir dir)) {
            return "NOT_FOUND";
        }
        dir.mode = mode;
        return "OK";
    }

    /**
     * Removes the rooms of a change with unknown outcome from the tree. A fork keeps the rooms as before and as after
     * the change.
     */
    void fork(Event cause) {
        Dir before = new Dir();
        Dir after = new Dir();
        List<String> rooms = rooms(cause.op(), cause.arguments());
        for (String room : rooms) {
            Node node = root.entries.remove(room);
            if (node != null) {
                before.entries.put(room, node);
                after.entries.put(room, node instanceof Dir dir ? dir.copy() : node);
            }
        }
        change(after, cause.op(), cause.arguments());
        forks.add(new Fork(cause, List.of(named(rooms, before), named(rooms, after))));
    }

    private static Map<String, Node> named(List<String> rooms, Dir world) {
        TreeMap<String, Node> named = new TreeMap<>(world.entries);
        named.keySet().retainAll(rooms);
        return named;
    }

    /** Returns the rooms that a change touches. */
    static List<String> rooms(Event.Op op, List<String> arguments) {
        String first = room(arguments.get(0));
        if (op != Event.Op.RENAME || room(arguments.get(1)).equals(first)) {
            return List.of(first);
        }
        return List.of(first, room(arguments.get(1)));
    }

    /** Returns whether a change with unknown outcome touched the room. */
    boolean retired(String room) {
        return forks.stream()
                .anyMatch(fork ->
                        rooms(fork.cause().op(), fork.cause().arguments()).contains(room));
    }
}
