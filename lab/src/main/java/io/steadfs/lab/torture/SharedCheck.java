package io.steadfs.lab.torture;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;

/**
 * Checks the names that all clients compete for. The order of operations that overlap in time is unknown. This check is
 * therefore weaker than {@link OwnCheck}: it accepts everything that the history allows. See {@link Fates}.
 */
final class SharedCheck {
    /**
     * Readers may notice a crash for at most this time. After that time, the file was recovered or its writer got an
     * error.
     */
    private static final long SEEN_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final Found found;
    private final OwnReplay.Crashes crashes;
    private final List<String> differences = new ArrayList<>();
    private final Removers removers = new Removers();
    private final Map<String, List<Event>> arrivals = new HashMap<>();
    private final List<Event> creates = new ArrayList<>();
    private final List<Event> directories = new ArrayList<>();
    private final Map<Long, Long> least = new HashMap<>();
    private final Map<Long, Long> most = new HashMap<>();
    private final Set<Long> closed = new HashSet<>();
    private final Set<Long> files = new HashSet<>();
    private long acknowledged;
    private long acknowledgedBytes;

    SharedCheck(Found found, OwnReplay.Crashes crashes) {
        this.found = found;
        this.crashes = crashes;
    }

    /** @param events operations of all clients */
    void run(List<Event> events) {
        events.stream().filter(SharedCheck::isShared).forEach(this::index);
        events.stream()
                .filter(event -> isWrite(event) && files.contains(event.number(0)))
                .forEach(this::write);
        Fates fates = new Fates(removers, arrivals);
        creates.forEach(create -> checkFile(create, fates.of(create)));
        arrivals.values().forEach(this::checkWinners);
        directories.forEach(this::checkDirectory);
        Set<Long> known = new HashSet<>();
        events.stream().filter(event -> event.op() == Event.Op.CREATE).forEach(event -> known.add(event.number(1)));
        found.files().forEach((id, path) -> {
            if (!known.contains(id)) {
                differences.add(path + " holds bytes of file " + Long.toHexString(id) + ", which nobody made");
            }
        });
    }

    private static boolean isWrite(Event event) {
        return switch (event.op()) {
            case WRITE, HFLUSH, HSYNC, CLOSE -> true;
            default -> false;
        };
    }

    private static boolean isShared(Event event) {
        return !isWrite(event) && event.argument(0).startsWith(Worker.SHARED + "/");
    }

    private void index(Event event) {
        acknowledged += event.ok() ? 1 : 0;
        if (event.outcome().equals("CORRUPT") && !mayHaveLost(event)) {
            differences.add(event + ": damaged bytes");
        }
        if (event.op() == Event.Op.READ
                && event.ok()
                && Long.parseLong(event.results().get(1)) >= 0) {
            differences.add(event + ": the byte at offset " + event.results().get(1) + " is not the file's");
        }
        if (event.op() == Event.Op.LIST
                && event.ok()
                && new TreeSet<>(event.results()).size() != event.results().size()) {
            differences.add(event + ": a name is listed twice");
        }
        if (event.refused()) {
            return;
        }
        String path = event.argument(0);
        switch (event.op()) {
            case CREATE -> {
                creates.add(event);
                files.add(event.number(1));
                if (event.argument(2).equals("overwrite")) {
                    removers.add(path, event);
                }
                arrive(path, event);
            }
            case DELETE -> removers.add(path, event);
            case RENAME -> {
                String target = event.argument(1);
                if (!target.equals(path)) {
                    removers.add(path, event);
                    arrive(target, event);
                    if (event.argument(2).equals("OVERWRITE")) {
                        removers.add(target, event);
                    }
                }
            }
            case MKDIR -> directories.add(event);
            default -> {}
        }
    }

    /**
     * Returns whether a crash may explain the bytes that a read missed. The event does not say which file was read, or
     * whether the file was closed. Files that remain are read again at the end.
     */
    private boolean mayHaveLost(Event read) {
        return LostTail.offset(read).isPresent() && crashes.ioServer(read.beginNanos() - SEEN_NANOS, read.endNanos());
    }

    private void arrive(String path, Event event) {
        arrivals.computeIfAbsent(path, key -> new ArrayList<>()).add(event);
    }

    private void write(Event event) {
        long id = event.number(0);
        long position = event.number(1);
        most.merge(id, position, Math::max);
        if (event.ok() && (event.op() == Event.Op.HSYNC || event.op() == Event.Op.CLOSE)) {
            least.merge(id, position, Math::max);
            if (event.op() == Event.Op.CLOSE) {
                closed.add(id);
            }
        }
        acknowledged += event.ok() ? 1 : 0;
    }

    private void checkFile(Event create, Fates.Fate fate) {
        long id = create.number(1);
        Set<String> ends = fate.ends();
        String at = found.files().get(id);
        if (at == null) {
            boolean maybeEmpty =
                    least.getOrDefault(id, 0L) == 0 && ends.stream().anyMatch(this::isShort);
            if (!fate.mayBeGone() && !maybeEmpty) {
                differences.add(create + ": file " + Long.toHexString(id) + " is lost; expected at one of " + ends);
            }
            return;
        }
        if (!ends.contains(at)) {
            differences.add(create + ": file " + Long.toHexString(id) + " is at " + at
                    + ", where what was acknowledged does not allow it; allowed are " + ends);
        }
        Found.Thing thing = found.things().get(at);
        long length = thing == null ? 0 : thing.reading().map(Reading::length).orElse(0L);
        long promised = least.getOrDefault(id, 0L);
        boolean right =
                closed.contains(id) ? length == promised : length >= promised && length <= most.getOrDefault(id, 0L);
        acknowledgedBytes += promised;
        if (!right) {
            differences.add(create + ": file " + Long.toHexString(id) + " at " + at + " has length " + length
                    + ", expected " + promised + (closed.contains(id) ? "" : " to " + most.getOrDefault(id, 0L)));
        }
    }

    private boolean isShort(String path) {
        Found.Thing thing = found.things().get(path);
        return thing != null
                && thing.reading().filter(read -> read.fileId() == 0).isPresent();
    }

    /**
     * Checks operations that may take a name only if the name is free. Between two successes, another operation must
     * have freed the name.
     */
    private void checkWinners(List<Event> all) {
        List<Event> exclusive = all.stream()
                .filter(Event::ok)
                .filter(event ->
                        event.argument(2).equals("new") || event.argument(2).equals("NO_REPLACE"))
                .sorted(Comparator.comparingLong(Event::beginNanos))
                .toList();
        for (int i = 1; i < exclusive.size(); i++) {
            Event first = exclusive.get(i - 1);
            Event second = exclusive.get(i);
            String path = first.argument(first.op() == Event.Op.RENAME ? 1 : 0);
            boolean freed = removers.withinOrAbove(
                            path, first.beginNanos(), Math.max(first.endNanos(), second.endNanos()))
                    .anyMatch(remover -> !remover.equals(first) && !remover.equals(second));
            if (!freed) {
                differences.add("two got " + path + ", which one only can get: " + first + " and " + second);
            }
        }
    }

    private void checkDirectory(Event made) {
        String path = made.argument(0);
        if (!made.ok() || found.things().containsKey(path)) {
            return;
        }
        boolean explained = removers.withinOrAbove(path, made.beginNanos(), Event.NEVER)
                .findAny()
                .isPresent();
        if (!explained) {
            differences.add(made + ": the directory is lost");
        }
    }

    List<String> differences() {
        return differences;
    }

    long acknowledged() {
        return acknowledged;
    }

    long acknowledgedBytes() {
        return acknowledgedBytes;
    }
}
