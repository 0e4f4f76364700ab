package io.steadfs.lab.bench.figure.listing;

import io.steadfs.lab.bench.compare.Spread;
import java.util.List;

/**
 * All listings of one directory, at least one.
 *
 * @param firstMillis milliseconds until the first entry was there, of each listing
 * @param lastMillis milliseconds until all entries were there, of each listing
 */
record Listing(int shards, int entries, int partitions, List<Double> firstMillis, List<Double> lastMillis) {
    Listing {
        firstMillis = List.copyOf(firstMillis);
        lastMillis = List.copyOf(lastMillis);
    }

    Spread first() {
        return Spread.of(firstMillis);
    }

    Spread last() {
        return Spread.of(lastMillis);
    }
}
