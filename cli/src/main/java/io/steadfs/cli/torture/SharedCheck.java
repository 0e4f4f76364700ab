package io.steadfs.cli.torture;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * Checks the names that all clients fight for. Nobody knows in which order operations that overlap in time were done,
 * so this is weaker than {@link OwnCheck}: it asks what the history allows.
 *
 * <p>A file stays under a name from an operation that may have brought it there until the first acknowledged operation
 * that began after that one had ended and took whatever was under the name away. Following renames from stay to stay
 * gives the names that a file may be under at the end, and whether it may be gone.
 */
final class SharedCheck {
    /** @param untilNanos when it is gone from there for certain */
    private record Stay(String path, Event arrival, long untilNanos) {}

    private static final int MOST_STAYS = 10_000;

    /** A crash is seen by readers for no longer: then the file was recovered, or its writer heard of it. */
    private static final long SEEN_NANOS = TimeUnit.SECONDS.toNanos(120);

    private final Found found;
    private final OwnReplay.Crashes crashes;
    private final List<String> differences = new ArrayList<>();
    private final Map<String, List<Event>> removers = new HashMap<>();
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

    /** @param events of all clients */
    void run(List<Event> events) {
        events.stream().filter(SharedCheck::isShared).forEach(this::index);
        events.stream()
                .filter(event -> isWrite(event) && files.contains(event.number(0)))
                .forEach(this::write);
        creates.forEach(this::checkFile);
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
                    add(removers, path, event);
                }
                add(arrivals, path, event);
            }
            case DELETE -> add(removers, path, event);
            case RENAME -> {
                String target = event.argument(1);
                if (!target.equals(path)) {
                    add(removers, path, event);
                    add(arrivals, target, event);
                    if (event.argument(2).equals("OVERWRITE")) {
                        add(removers, target, event);
                    }
                }
            }
            case MKDIR -> directories.add(event);
            default -> {}
        }
    }

    /** Which file it was, and whether it was closed, is not known here; those that stay are read again at the end. */
    private boolean mayHaveLost(Event read) {
        return LostTail.offset(read).isPresent() && crashes.ioServer(read.beginNanos() - SEEN_NANOS, read.endNanos());
    }

    private static void add(Map<String, List<Event>> index, String path, Event event) {
        index.computeIfAbsent(path, key -> new ArrayList<>()).add(event);
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

    /** When an operation was over; never, if nobody told. */
    private static long over(Event event) {
        return event.ok() ? event.endNanos() : Long.MAX_VALUE;
    }

    private Stay stay(String path, Event arrival) {
        long until = Long.MAX_VALUE;
        for (Event remover : removers.getOrDefault(path, List.of())) {
            if (!remover.equals(arrival) && remover.ok() && remover.beginNanos() > over(arrival)) {
                until = Math.min(until, remover.endNanos());
            }
        }
        return new Stay(path, arrival, until);
    }

    private void checkFile(Event create) {
        long id = create.number(1);
        Set<String> ends = new TreeSet<>();
        boolean mayBeGone = !create.ok();
        Set<Event> followed = new HashSet<>();
        Deque<Stay> stays = new ArrayDeque<>();
        stays.add(stay(create.argument(0), create));
        for (int count = 0; !stays.isEmpty(); count++) {
            if (count > MOST_STAYS) {
                return;
            }
            Stay stay = stays.remove();
            if (stay.untilNanos() == Long.MAX_VALUE) {
                ends.add(stay.path());
            }
            for (Event remover : removers.getOrDefault(stay.path(), List.of())) {
                if (remover.equals(stay.arrival())
                        || over(remover) < stay.arrival().beginNanos()
                        || remover.beginNanos() > stay.untilNanos()) {
                    continue;
                }
                boolean moves =
                        remover.op() == Event.Op.RENAME && remover.argument(0).equals(stay.path());
                if (!moves) {
                    mayBeGone = true;
                } else if (followed.add(remover)) {
                    stays.add(stay(remover.argument(1), remover));
                }
            }
        }
        checkPlace(create, id, ends, mayBeGone);
    }

    private void checkPlace(Event create, long id, Set<String> ends, boolean mayBeGone) {
        String at = found.files().get(id);
        if (at == null) {
            boolean maybeEmpty =
                    least.getOrDefault(id, 0L) == 0 && ends.stream().anyMatch(this::isShort);
            if (!mayBeGone && !maybeEmpty) {
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

    /** Of two that may both have a name only if it was free, something must have freed it in between. */
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
            boolean freed = removersAt(path)
                    .anyMatch(remover -> !remover.equals(first)
                            && !remover.equals(second)
                            && over(remover) > first.beginNanos()
                            && remover.beginNanos() < Math.max(first.endNanos(), second.endNanos()));
            if (!freed) {
                differences.add("two got " + path + ", which one only can get: " + first + " and " + second);
            }
        }
    }

    /** What took the name away, or a directory that it was in. */
    private Stream<Event> removersAt(String path) {
        return removers.entrySet().stream()
                .filter(entry -> path.equals(entry.getKey()) || path.startsWith(entry.getKey() + "/"))
                .flatMap(entry -> entry.getValue().stream());
    }

    private void checkDirectory(Event made) {
        String path = made.argument(0);
        if (!made.ok() || found.things().containsKey(path)) {
            return;
        }
        boolean explained = removersAt(path).anyMatch(remover -> over(remover) > made.beginNanos());
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
