package io.steadfs.it.rules;

import java.util.Collection;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** All that is in the directory of a case, by path. A path comes before what is below it. */
final class State {
    /** The directory of the case itself. */
    static final String BASE = ".";

    /** The directories that are of the kind that is under test. */
    static final Set<String> GROUNDS = Set.of("d", "e");

    private static final String ABSENT = "no ";

    private final Map<String, Thing> things = new TreeMap<>();

    private State() {}

    /** Reads what a cell tells: things, with {@code ", "} between them. */
    static State of(String cell) {
        State state = new State();
        state.putAll("., d");
        if (!cell.isEmpty()) {
            state.putAll(cell);
        }
        return state;
    }

    private void putAll(String cell) {
        for (String each : cell.split(", ", -1)) {
            if (each.startsWith(ABSENT)) {
                things.remove(each.substring(ABSENT.length()));
            } else {
                put(Thing.of(each));
            }
        }
    }

    /** Directories on the way are there, too. */
    private void put(Thing thing) {
        String path = thing.path();
        for (int slash = path.indexOf('/'); slash > 0; slash = path.indexOf('/', slash + 1)) {
            String above = path.substring(0, slash);
            things.computeIfAbsent(above, name -> Thing.of(GROUNDS.contains(name) ? name : name + "/"));
        }
        things.put(path, thing);
    }

    Collection<Thing> things() {
        return things.values();
    }

    Optional<Thing> find(String path) {
        return Optional.ofNullable(things.get(path));
    }

    boolean hasXattrs() {
        return things.values().stream().anyMatch(thing -> !thing.xattrs().isEmpty());
    }
}
