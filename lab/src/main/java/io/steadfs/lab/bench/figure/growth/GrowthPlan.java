package io.steadfs.lab.bench.figure.growth;

import io.steadfs.lab.bench.figure.ground.Bounds;
import io.steadfs.lab.bench.figure.ground.SlowCommits;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What the experiment measures.
 *
 * @param points numbers of shards, each once, in order
 * @param series which series there are, each once
 * @param clients number of clients for each shard
 * @param seconds how long clients create files in a turn
 * @param rounds number of rounds; each series takes one turn in a round
 * @param rehearsal number of files of each series for each shard at each point that are not counted; gives Java time to
 *     compile
 * @param settings more configuration values of the servers, by key
 */
public record GrowthPlan(
        List<Integer> points,
        List<GrowthSeries> series,
        int clients,
        int seconds,
        int rounds,
        int rehearsal,
        SlowCommits commits,
        Map<String, String> settings) {
    public static final int USUAL_SECONDS = 180;

    private static final int MOST_CLIENTS = 100;
    private static final int LEAST_SECONDS = 3;
    private static final int MOST_SECONDS = 3_600;

    public GrowthPlan {
        points = Bounds.points(points);
        series = List.copyOf(series);
        settings = Map.copyOf(settings);
        Bounds.atLeast(1, clients, "--clients");
        Bounds.atMost(MOST_CLIENTS, clients, "--clients");
        // The steady state is the last third.
        Bounds.atLeast(LEAST_SECONDS, seconds, "--seconds");
        Bounds.atMost(MOST_SECONDS, seconds, "--seconds");
        Bounds.atLeast(1, rounds, "--rounds");
        Bounds.atLeast(0, rehearsal, "--rehearsal");
    }

    int clientsAt(int shards) {
        return clients * shards;
    }

    /** Configuration values of the servers that differ from the defaults. */
    Map<String, String> serverSettings() {
        Map<String, String> all = new HashMap<>(commits.settings());
        all.putAll(settings);
        return all;
    }
}
