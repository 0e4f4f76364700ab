package io.steadfs.lab.bench.compare;

import java.util.List;

/**
 * What was measured with new clients.
 *
 * @param cells all rows, those of servers that had just started first
 * @param firstStarts seconds of each start of the first system's servers
 * @param secondStarts seconds of each start of the second system's servers, in the same rounds
 */
record ColdResults(List<ColdCell> cells, List<Double> firstStarts, List<Double> secondStarts) {
    ColdResults {
        cells = List.copyOf(cells);
        firstStarts = List.copyOf(firstStarts);
        secondStarts = List.copyOf(secondStarts);
    }
}
