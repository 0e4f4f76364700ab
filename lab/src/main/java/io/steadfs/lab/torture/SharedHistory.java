package io.steadfs.lab.torture;

import io.steadfs.error.FsError;
import io.steadfs.lab.history.Action;
import io.steadfs.lab.history.Answer;
import io.steadfs.lab.history.Operation;
import io.steadfs.lab.history.Seen;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/**
 * Turns the operations on shared names, with their answers, into operations of the history checker. The last operation
 * on each name is a look at what the harness found at the end.
 */
final class SharedHistory {
    private static final String AFTERWARDS = "the harness, after all";

    private final List<Operation> operations = new ArrayList<>();
    private final Set<String> names = new TreeSet<>();

    /** @param events operations of all clients */
    SharedHistory(List<Event> events, Found found) {
        List<Event> shared = events.stream().filter(SharedHistory::isShared).toList();
        shared.forEach(this::name);
        shared.forEach(this::add);
        long last = events.stream()
                .mapToLong(event -> event.endNanos() == Event.NEVER ? event.beginNanos() : event.endNanos())
                .max()
                .orElse(0);
        names.forEach(name -> operations.add(
                new Operation(AFTERWARDS, last + 1, last + 2, new Action.Look(name), Answer.saw(seen(name, found)))));
    }

    List<Operation> operations() {
        return operations;
    }

    private static boolean isShared(Event event) {
        return switch (event.op()) {
            case WRITE, HFLUSH, HSYNC, CLOSE, APPEND -> false;
            default -> event.argument(0).startsWith(Worker.SHARED + "/");
        };
    }

    private void name(Event event) {
        if (event.op() != Event.Op.LIST) {
            names.add(event.argument(0));
        }
        if (event.op() == Event.Op.RENAME) {
            names.add(event.argument(1));
        }
    }

    private void add(Event event) {
        String path = event.argument(0);
        switch (event.op()) {
            case MKDIR -> add(event, new Action.MakeDirectory(path, true, false), changed(event));
            case CREATE -> add(event, create(event), changed(event));
            case DELETE -> {
                boolean recursive = event.argument(1).equals("recursive");
                add(event, new Action.Delete(path, recursive), changed(event));
            }
            case RENAME -> {
                boolean overwrite = event.argument(2).equals("OVERWRITE");
                add(event, new Action.Rename(path, event.argument(1), overwrite), changed(event));
            }
            case READ -> add(event, new Action.Look(path), event.ok() ? Answer.saw(read(event)) : changed(event));
            case STAT -> add(event, new Action.Look(path), event.ok() ? Answer.saw(stat(event)) : changed(event));
            case LIST -> list(event);
            default -> {}
        }
    }

    private static Action create(Event event) {
        boolean overwrite = event.argument(2).equals("overwrite");
        return new Action.Create(event.argument(0), event.number(1), overwrite, true);
    }

    private static Answer changed(Event event) {
        if (event.ok()) {
            return Answer.done();
        }
        return event.outcome().equals(Event.NONE) ? Answer.unknown() : Answer.failed(FsError.valueOf(event.outcome()));
    }

    /** Returns what a read saw. The bytes of the file tell the file's id, unless there are too few bytes. */
    private static Seen read(Event event) {
        return Seen.file(
                event.results().size() > 2 ? Long.parseLong(event.results().get(2)) : 0);
    }

    private static Seen stat(Event event) {
        return event.results().get(0).equals("D") ? Seen.DIRECTORY : Seen.FILE;
    }

    private void list(Event event) {
        if (!event.ok()) {
            return;
        }
        Set<String> listed = new HashSet<>(event.results());
        String directory = event.argument(0) + "/";
        for (String name : names) {
            if (name.startsWith(directory) && name.indexOf('/', directory.length()) < 0) {
                boolean there = listed.contains(name.substring(directory.length()));
                add(event, new Action.Listed(name), Answer.saw(there ? Seen.SOMETHING : Seen.ABSENT));
            }
        }
    }

    private void add(Event event, Action action, Answer answer) {
        String client = event.client() + " op " + event.id();
        operations.add(new Operation(client, event.beginNanos(), event.endNanos(), action, answer));
    }

    private static Seen seen(String name, Found found) {
        Found.Thing thing = found.things().get(name);
        if (thing == null) {
            return Seen.ABSENT;
        }
        if (thing.info().directory()) {
            return Seen.DIRECTORY;
        }
        return thing.reading().map(read -> Seen.file(read.fileId())).orElse(Seen.FILE);
    }
}
