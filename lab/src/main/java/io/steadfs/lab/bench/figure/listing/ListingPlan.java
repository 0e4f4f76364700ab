package io.steadfs.lab.bench.figure.listing;

import io.steadfs.lab.bench.figure.ground.Bounds;
import java.util.List;
import java.util.Map;

/**
 * What the experiment measures.
 *
 * @param points numbers of shards, each once, in order
 * @param entries numbers of entries, each once, in order; each has a directory
 * @param clients number of clients that make the entries; one client lists
 * @param rounds number of rounds; each directory is listed once in a round
 * @param rehearsal number of entries that are listed at each point before the first round; gives Java time to compile
 * @param settings configuration values of the servers, by key
 */
public record ListingPlan(
        List<Integer> points,
        List<Integer> entries,
        int clients,
        int rounds,
        int rehearsal,
        Map<String, String> settings) {
    public static final List<Integer> USUAL_ENTRIES = List.of(1_000, 10_000, 200_000, 2_000_000);

    private static final int MOST_ENTRIES = 50_000_000;
    private static final int MOST_CLIENTS = 1_000;

    public ListingPlan {
        points = Bounds.points(points);
        entries = Bounds.each(entries, MOST_ENTRIES, "--entries");
        settings = Map.copyOf(settings);
        Bounds.atLeast(1, clients, "--clients");
        Bounds.atMost(MOST_CLIENTS, clients, "--clients");
        Bounds.atLeast(1, rounds, "--rounds");
        Bounds.atLeast(0, rehearsal, "--rehearsal");
    }
}
