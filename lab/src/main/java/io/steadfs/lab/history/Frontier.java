package io.steadfs.lab.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A set of configurations in which no configuration covers another. If configuration A covers configuration B,
 * everything that can follow B can also follow A. Configuration A covers configuration B under these conditions:
 *
 * <ul>
 *   <li>A and B have made the same changes.
 *   <li>A has done every look that B has done.
 *   <li>The unknown changes that A has left allow at least as much as those of B. A left-over change need never be
 *       made.
 *   <li>The contents of the name in A allow everything that the contents in B allow. For example, the contents
 *       "something" allow what a directory allows.
 * </ul>
 */
final class Frontier {
    private final PerhapsMade perhaps;
    private final Map<Place, List<Configuration>> places = new LinkedHashMap<>();

    /**
     * Configurations that may cover each other. With one name, all configurations with the same changes may. With
     * several names, the contents of all names must also be equal.
     */
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

    /** Adds a configuration unless another covers it. Returns whether the configuration was added. */
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
