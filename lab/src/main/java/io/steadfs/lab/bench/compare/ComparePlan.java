package io.steadfs.lab.bench.compare;

import io.steadfs.lab.bench.compare.work.WorkKind;
import java.util.List;

/**
 * What a comparison measures, and how long.
 *
 * @param works works to measure, in this order
 * @param threads numbers of threads with which all works except streams are measured
 * @param streams numbers of parallel streams with which the stream works are measured
 * @param visits how often the comparison goes through all rows; at least 1
 * @param rounds number of rounds of each lane in each visit; at least 1
 * @param uncountedRounds largest number of uncounted rounds of each lane in each visit. Java has time to compile during
 *     uncounted rounds
 * @param roundMillis intended duration of a round in milliseconds; not used for streams
 * @param dataServers number of data servers of each system
 * @param rehearsalMillis shortest time in milliseconds to rehearse each work on each system; longer if data servers
 *     take part in the work
 * @param streamMebibytes size of all streams together, in MiB
 * @param memoryFiles number of files that are added to each system to measure how server memory grows; 0 = no
 *     measurement
 * @param minutes intended duration of the measurement in minutes; 0 = only the visits. Time left after the visits goes
 *     to rows with the least certain ratios
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
    static final int MOST_THREADS = 256;
    static final int MOST_ROUNDS = 1000;
    static final int MOST_MINUTES = 100_000;

    ComparePlan {
        works = List.copyOf(works);
        threads = List.copyOf(threads);
        streams = List.copyOf(streams);
        for (int count : threads) {
            check("--threads", count, 1, MOST_THREADS);
        }
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
        check("--minutes", minutes, 0, MOST_MINUTES);
    }

    /** @throws IllegalArgumentException if the value is out of range; the message names the option and the value */
    static void check(String option, int value, int least, int most) {
        if (value < least || value > most) {
            throw new IllegalArgumentException(option + " " + value + " is not between " + least + " and " + most);
        }
    }

    /**
     * How long the work is rehearsed on each system, in milliseconds. If data servers take part in the work, {@link
     * #rehearsalMillis} is multiplied by half the number of data servers, and at least by 1.
     */
    int rehearsalMillis(WorkKind kind) {
        return kind.isOfDataServers() ? rehearsalMillis * Math.max(1, dataServers / 2) : rehearsalMillis;
    }

    /** The numbers of threads with which the work is measured. */
    List<Integer> threads(WorkKind kind) {
        return kind.isStream() ? streams : threads;
    }
}
