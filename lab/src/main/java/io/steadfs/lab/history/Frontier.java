package io.steadfs.lab.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Configurations of which none covers another. One covers another if all that can follow the other one can follow it, too:
 * both have made the same changes; what has looked need not look any more; what is left of unknown changes may be left for
 * ever; and what is at a name allows what the other one allows, as something allows what a directory does.
 */
final class Frontier {
    private final PerhapsMade perhaps;
    private final Map<Place, List<Configuration>> places = new LinkedHashMap<>();

    /** Configurations that may cover each other. Of one name all do, of several only those with the same at all of them. */
    private static final class Place {
        private final int[] names;
        private final long changed;
        private final int hash;

        Place(Configuration of) {
            names = of.names().length == 1 ? new int[0] : of.names();
            changed = of.changed();
            hash = Arrays.hashCode(names) * 31 + Long.hashCode(changed);
        }

        @Override
        public boolean equals(@org.jspecify.annotations.Nullable Object other) {
            return other instanceof Place place && changed == place.changed && Arrays.equals(names, place.names);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    Frontier(PerhapsMade perhaps) {
        this.perhaps = perhaps;
    }

    /** Returns whether it was new. */
    boolean add(Configuration added) {
        List<Configuration> there = places.computeIfAbsent(new Place(added), place -> new ArrayList<>(1));
        for (Configuration one : there) {
            if (covers(one, added)) {
                return false;
            }
        }
        there.removeIf(one -> covers(added, one));
        there.add(added);
        return true;
    }

    private boolean covers(Configuration one, Configuration other) {
        return (other.looked() & ~one.looked()) == 0
                && (one.names().length > 1 || Contents.allowsAll(one.names()[0], other.names()[0]))
                && perhaps.leavesAsMuch(one.used(), other.used());
    }

    boolean isEmpty() {
        return places.isEmpty();
    }

    void forEach(Consumer<Configuration> action) {
        places.values().forEach(all -> all.forEach(action));
    }
}
