package io.steadfs.lab.bench.compare;

import io.steadfs.lab.bench.compare.work.WorkKind;
import java.util.List;

/**
 * What is measured.
 *
 * @param works in this order
 * @param threads numbers of threads for all works but streams
 * @param streams numbers of streams
 * @param visits how often all rows are gone through; 1 or more
 * @param rounds of each lane in each visit; 1 or more
 * @param uncountedRounds of each lane at most, before those of a visit, while Java compiles
 * @param roundMillis how long a round of anything but streams should take
 * @param dataServers of each system
 * @param rehearsalMillis how long each work is done at least on each system before anything is measured, if data servers have
 *     no part in it
 * @param streamMebibytes of all streams together
 * @param memoryFiles files that each system is given before its memory is measured; 0 for not at all
 * @param minutes how long all takes at least, more rounds being done where ratios are least certain
 */
record ComparePlan(
        List<WorkKind> works,
        List<Integer> threads,
        List<Integer> streams,
        int dataServers,
        int visits,
        int rounds,
        int uncountedRounds,
        int roundMillis,
        int rehearsalMillis,
        int streamMebibytes,
        int memoryFiles,
        int minutes) {
    private static final int MOST_THREADS = 256;
    private static final int MOST_DATA_SERVERS = 100;
    private static final int MOST_ROUNDS = 1000;

    ComparePlan {
        works = List.copyOf(works);
        threads = List.copyOf(threads);
        streams = List.copyOf(streams);
        for (int count : threads) {
            check("--threads", count, 1, MOST_THREADS);
        }
        check("--io", dataServers, 1, MOST_DATA_SERVERS);
        check("--visits", visits, 1, MOST_ROUNDS);
        check("--rounds", rounds, 1, MOST_ROUNDS);
        check("--visits times --rounds", visits * rounds, 1, MOST_ROUNDS);
        check("--uncounted-rounds", uncountedRounds, 0, MOST_ROUNDS);
        check("--round-ms", roundMillis, 10, 600_000);
        check("--rehearsal-ms", rehearsalMillis, 0, 3_600_000);
        check(
                "--stream-mib",
                streamMebibytes,
                streams.stream().mapToInt(Integer::intValue).max().orElse(1),
                1 << 20);
        check("--memory-files", memoryFiles, 0, 100_000_000);
        check("--minutes", minutes, 0, 100_000);
    }

    private static void check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(option + " " + value + " is not between " + least + " and " + most);
        }
    }

    /** How long the work is rehearsed on each system: half as long for each data server, if they have a part in it. */
    int rehearsalMillis(WorkKind kind) {
        return kind.isOfDataServers() ? rehearsalMillis * Math.max(1, dataServers / 2) : rehearsalMillis;
    }

    /** In whose numbers of threads the work is measured. */
    List<Integer> threads(WorkKind kind) {
        return kind.isStream() ? streams : threads;
    }
}
