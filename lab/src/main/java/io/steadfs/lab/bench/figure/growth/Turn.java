package io.steadfs.lab.bench.figure.growth;

import java.util.List;
import java.util.stream.IntStream;

/**
 * What a series did in a turn.
 *
 * @param files number of files in each second
 * @param partitions number of partitions of all its directories at the end
 * @param processors how many processors servers and clients used on average in the steady state
 */
record Turn(List<Long> files, int partitions, double processors) {
    /** Part of the steady rate that counts as nearly as fast. */
    private static final double NEARLY = 0.9;

    /** So many seconds on average must be nearly as fast, so that a single one does not count by chance. */
    private static final int WINDOW_SECONDS = 3;

    Turn {
        files = List.copyOf(files);
    }

    /** The first second of the steady state, which is the last third of a turn. */
    static int steadyFrom(int seconds) {
        return seconds - Math.max(1, seconds / 3);
    }

    /** Files a second in the steady state. */
    double steady() {
        return mean(steadyFrom(files.size()), files.size());
    }

    /** Number of seconds before the rate is at 90 % of the steady one: all of them if that is never for three seconds. */
    int secondsUntilSteady() {
        int window = Math.min(WINDOW_SECONDS, Math.max(1, files.size() / 3));
        double enough = NEARLY * steady();
        return IntStream.rangeClosed(0, files.size() - window)
                .filter(begin -> mean(begin, begin + window) >= enough)
                .findFirst()
                .orElse(files.size());
    }

    private double mean(int begin, int end) {
        return files.subList(begin, end).stream()
                .mapToLong(Long::longValue)
                .average()
                .orElseThrow();
    }
}
