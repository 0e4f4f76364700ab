package io.steadfs.lab.bench.figure;

import io.steadfs.cli.protocol.Protocol;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * What to measure at each place.
 *
 * @param points from left to right, each once
 * @param rounds in which each series takes a turn
 * @param files of each client in a round
 * @param warmUp files of each client before the clock starts, at each point
 * @param rehearsal files of each series at the first point, before its warm-up: until Java has compiled what it runs
 * @param commitDelayMicros by which every synced commit of every server is made longer
 * @param batchRequests most requests that a shard commits at once; 0 = as configured by default
 */
record FigurePlan(
        Figure figure,
        List<Protocol> protocols,
        List<Integer> points,
        int rounds,
        int files,
        int warmUp,
        int rehearsal,
        long commitDelayMicros,
        int batchRequests) {
    private static final int MOST = 200;

    FigurePlan {
        protocols = List.copyOf(protocols);
        points = points.stream().sorted().distinct().toList();
        atLeast(1, rounds, "--rounds");
        atLeast(1, files, "--files");
        atLeast(0, warmUp, "--warm-up");
        atLeast(0, rehearsal, "--rehearsal");
        atLeast(0, (int) commitDelayMicros, "--commit-delay-ms");
        atLeast(0, batchRequests, "--batch-requests");
        for (int point : points) {
            if (point < 1 || point > MOST) {
                throw new IllegalArgumentException("--points: " + point + " is not in 1.." + MOST);
            }
        }
    }

    private static void atLeast(int least, int value, String option) {
        if (value < least) {
            throw new IllegalArgumentException(option + " " + value + " is less than " + least);
        }
    }

    /** What takes turns: each protocol, and once more in the paper's mode where leases are part of it. */
    List<Series> series() {
        List<Series> all = new ArrayList<>();
        for (Protocol protocol : protocols) {
            all.add(Series.usual(protocol));
            if (protocol.takesLeasedHandles()) {
                all.add(Series.ofPaper(protocol));
            }
        }
        return all;
    }

    /** What servers are told beside the defaults. */
    Map<String, String> serverSettings() {
        Map<String, String> settings = new HashMap<>();
        if (commitDelayMicros > 0) {
            settings.put("stead.store.commit.delay", Long.toString(commitDelayMicros));
        }
        if (batchRequests > 0) {
            settings.put("stead.mds.batch.requests", Integer.toString(batchRequests));
        }
        return settings;
    }
}
