package io.steadfs.lab.bench.compare;

import io.steadfs.lab.bench.compare.cold.ColdWork;
import io.steadfs.lab.bench.compare.work.WorkKind;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;

/**
 * What is measured with new clients, and how long.
 *
 * @param works works of which a new client does its first operations, in this order
 * @param threads numbers of threads of a new client
 * @param rounds largest number of rounds of each row; each round has a new client of each system
 * @param minutes no round of all rows begins when the run has taken so many minutes, but each row gets at least one; 0 =
 *     no limit
 */
record ColdPlan(List<ColdWork> works, List<Integer> threads, int rounds, int minutes) {
    /** @throws IllegalArgumentException if a number is out of range or there twice; the message names the option and the value */
    ColdPlan {
        works = List.copyOf(works);
        threads = List.copyOf(threads);
        threads.forEach(count -> ComparePlan.check("--threads", count, 1, ComparePlan.MOST_THREADS));
        checkTwice("--works", works);
        checkTwice("--threads", threads);
        ComparePlan.check("--rounds", rounds, 1, ComparePlan.MOST_ROUNDS);
        ComparePlan.check("--minutes", minutes, 0, ComparePlan.MOST_MINUTES);
    }

    /** Rows that are equal would use the same files. */
    private static void checkTwice(String option, List<?> values) {
        Set<Object> seen = new HashSet<>();
        for (Object value : values) {
            if (!seen.add(value)) {
                throw new IllegalArgumentException(
                        option + " has " + value.toString().toLowerCase(Locale.ROOT) + " twice");
            }
        }
    }

    /** @throws IllegalArgumentException if the work is not measured with new clients; the message names the work */
    static ColdWork work(String text) {
        WorkKind kind = WorkKind.parse(text);
        return switch (kind) {
            case CREATE -> ColdWork.CREATE;
            case STAT -> ColdWork.STAT;
            case RENAME -> ColdWork.RENAME;
            default ->
                throw new IllegalArgumentException(String.format(
                        Locale.ROOT, "--works %s is not measured with --cold, only create, stat and rename are", kind));
        };
    }
}
