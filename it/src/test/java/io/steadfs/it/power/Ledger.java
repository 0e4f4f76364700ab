package io.steadfs.it.power;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What one writer was told about the tree that only it changes: what is there for sure, and changes of which it was never
 * told whether they happened. Those must have happened wholly or not at all, and may yet happen later. What a doubt
 * concerns is not touched again.
 */
final class Ledger {
    /** Something with a name. */
    sealed interface Thing permits Directory, Written {}

    record Directory() implements Thing {}

    enum State {
        /** Its writer goes on. */
        OPEN,
        /** It has its written bytes, exactly. */
        CLOSED,
        /** Its writer was refused, or does not know of its close: between synced and written bytes. */
        LEFT
    }

    /** A file; one object under all the names that it has had. */
    static final class Written implements Thing {
        final long number;
        /** Bytes that readers may see at most. */
        long written;
        /** Bytes that outlive everything. */
        long synced;

        State state = State.OPEN;

        Written(long number) {
            this.number = number;
        }

        @Override
        public String toString() {
            return "file " + number + ", " + state + ", " + synced + " synced of " + written;
        }
    }

    /** Two states of the names concerned. */
    record Doubt(String what, Map<String, Thing> before, Map<String, Thing> after) {
        boolean concerns(String path) {
            return before.keySet().stream().anyMatch(name -> meets(name, path))
                    || after.keySet().stream().anyMatch(name -> meets(name, path));
        }

        private static boolean meets(String one, String other) {
            return one.equals(other) || one.startsWith(other + "/") || other.startsWith(one + "/");
        }
    }

    final String base;
    final TreeMap<String, Thing> sure = new TreeMap<>();
    final List<Doubt> doubts = new ArrayList<>();

    /** @param base the tree's own directory, which is there */
    Ledger(String base) {
        this.base = base;
        sure.put(base, new Directory());
    }

    /** Names of things of that kind that may be moved or removed. */
    List<String> free(boolean directories) {
        List<String> names = new ArrayList<>();
        sure.forEach((name, thing) -> {
            boolean fits = thing instanceof Written file ? !directories && file.state == State.CLOSED : directories;
            if (fits && !name.equals(base) && doubts.stream().noneMatch(doubt -> doubt.concerns(name))) {
                names.add(name);
            }
        });
        return names;
    }

    List<String> directories() {
        return sure.entrySet().stream()
                .filter(each -> each.getValue() instanceof Directory)
                .map(Map.Entry::getKey)
                .toList();
    }

    /** The name and everything below it. */
    Map<String, Thing> below(String name) {
        Map<String, Thing> all = new TreeMap<>();
        Optional.ofNullable(sure.get(name)).ifPresent(thing -> all.put(name, thing));
        all.putAll(sure.subMap(name + "/", name + "0"));
        return all;
    }

    boolean isWrittenBelow(String name) {
        return below(name).values().stream()
                .anyMatch(thing -> thing instanceof Written file && file.state == State.OPEN);
    }

    /** It happened. */
    void settle(Map<String, Thing> before, Map<String, Thing> after) {
        sure.keySet().removeAll(before.keySet());
        sure.putAll(after);
    }

    /** Nobody knows whether it happened. */
    void doubt(String what, Map<String, Thing> before, Map<String, Thing> after) {
        sure.keySet().removeAll(before.keySet());
        doubts.add(new Doubt(what, before, after));
    }
}
