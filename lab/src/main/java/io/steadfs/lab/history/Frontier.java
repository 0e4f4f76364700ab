package io.steadfs.lab.history;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * A set of configurations in which no configuration covers another. One configuration covers another if everything that
 * can follow the covered configuration can also follow the covering configuration. A configuration covers another if
 * these conditions hold:
 *
 * <ul>
 *   <li>Both configurations have made the same changes.
 *   <li>The covering configuration has taken every look that the covered configuration has taken. A look that was taken
 *       need not be taken again.
 *   <li>The unused changes of the covering configuration can replace the unused changes of the covered configuration. A
 *       change with an unknown outcome may stay unused for ever.
 *   <li>What is at a name in the covering configuration allows every step that the covered configuration allows. For
 *       example, "something" allows every step that "a directory" allows.
 * </ul>
 */
final class Frontier {
    private final PerhapsMade perhaps;
    private final Map<Place, List<Configuration>> places = new LinkedHashMap<>();

    /**
     * A key for configurations that may cover each other. Configurations with the same key have made the same changes.
     * If there are several names, configurations with the same key also have the same contents at every name.
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

    /** Adds a configuration. Returns false if a present configuration covers the new configuration. */
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
