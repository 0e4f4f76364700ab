package io.steadfs.mds.duty;

import io.steadfs.handle.Handle;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.partition.CountsGone;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.pipeline.CommitListener;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.time.Clock;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many names are made in each directory of a shard, each second. A partition counts as a directory.
 *
 * <p>A rate is an average over the past in which a name weighs the less the older it is: half after 7 seconds, e^-1 after
 * 10. So a directory in which names begin to be made at a steady rate shows 63 % of it after 10 seconds, and 95 % after
 * 30.
 *
 * <p>At most {@value #MOST_DIRECTORIES} directories are counted. When there are more, the median of all counters is
 * taken away from each, and those with nothing left are forgotten. This is a summary of frequent items (Misra and Gries,
 * 1982) with the purge of D. Anderson and others, "A High-Performance Algorithm for Identifying Frequent Items in Data
 * Streams", 2017. The weights are those of G. Cormode and others, "Forward Decay", 2009: a name weighs e^(age of the
 * landmark), and a reader divides by the present age.
 *
 * <p>So a rate is never too high. It is too low by at most a thousandth of the rate of all directories of the shard
 * together. It is exact while no more directories are in use than are counted.
 *
 * <p>Names that come from another partition count as one name. A name that is replaced or renamed counts where it
 * is afterwards. May be used by any thread; the lock is held for one batch, or for one sort of the counters.
 */
public final class NameRates implements CommitListener {
    public static final int MOST_DIRECTORIES = 2_000;

    private static final double SECONDS = 10;
    private static final double LANDMARK_SECONDS = 100;
    /** Counters below this are forgotten when the landmark moves: one name in 17 minutes. */
    private static final double LEAST_PER_SECOND = 0.001;

    private final Clock clock;
    /** Weights of names, as seen from the landmark. */
    private final Map<Handle, Double> weights = new HashMap<>();

    /** Weight of the names of all directories, also of those that are not counted. */
    private double total;

    private long landmarkNanos;

    /** @param perSecond names made in a second */
    public record Hot(Handle directory, double perSecond) {}

    /** What a batch says of one directory. */
    private static final class Touched {
        private int names;
        private int counts;

        /** Each name that a client makes comes with a row of counts. Names that move together have one row. */
        int made() {
            return Math.min(names, counts);
        }
    }

    public NameRates(Clock clock) {
        this.clock = clock;
        this.landmarkNanos = clock.monotonicNanos();
    }

    @Override
    public void committed(List<LogRecord> records) {
        Map<Handle, Touched> touched = new HashMap<>();
        for (LogRecord each : records) {
            if (each instanceof DirentSet set && !set.row().hasLock()) {
                touched.computeIfAbsent(set.key().directory(), key -> new Touched()).names++;
            } else if (each instanceof CountsSet set) {
                touched.computeIfAbsent(set.directory(), key -> new Touched()).counts++;
            } else if (each instanceof CountsGone gone) {
                forget(gone.directory());
                touched.remove(gone.directory());
            }
        }
        touched.values().removeIf(each -> each.made() == 0);
        if (!touched.isEmpty()) {
            add(touched);
        }
    }

    private synchronized void forget(Handle directory) {
        weights.remove(directory);
    }

    private synchronized void add(Map<Handle, Touched> touched) {
        if (ageSeconds() > LANDMARK_SECONDS) {
            moveLandmark();
        }
        double one = Math.exp(ageSeconds() / SECONDS);
        touched.forEach((directory, each) -> {
            weights.merge(directory, one * each.made(), Double::sum);
            total += one * each.made();
            if (weights.size() > MOST_DIRECTORIES) {
                purge();
            }
        });
    }

    private double ageSeconds() {
        return (clock.monotonicNanos() - landmarkNanos) / 1e9;
    }

    private void moveLandmark() {
        double factor = perSecondOf(1);
        weights.replaceAll((directory, weight) -> weight * factor * SECONDS);
        weights.values().removeIf(weight -> weight < LEAST_PER_SECOND * SECONDS);
        total *= factor * SECONDS;
        landmarkNanos = clock.monotonicNanos();
    }

    private void purge() {
        double[] sorted = weights.values().stream()
                .mapToDouble(Double::doubleValue)
                .sorted()
                .toArray();
        double median = sorted[sorted.length / 2];
        weights.replaceAll((directory, weight) -> weight - median);
        weights.values().removeIf(weight -> weight <= 0);
    }

    private double perSecondOf(double weight) {
        return weight * Math.exp(-ageSeconds() / SECONDS) / SECONDS;
    }

    /**
     * Names made in the directory or partition in a second, over about the last 10 seconds. Zero if the shard does not
     * have the directory.
     */
    public synchronized double perSecond(Handle directory) {
        return perSecondOf(weights.getOrDefault(directory, 0.0));
    }

    /** Names made in a second in all directories and partitions together. */
    public synchronized double perSecond() {
        return perSecondOf(total);
    }

    /** The directories and partitions in which most names are made, those with the most first. */
    public synchronized List<Hot> hottest(int most) {
        return weights.entrySet().stream()
                .sorted(Map.Entry.<Handle, Double>comparingByValue(Comparator.reverseOrder())
                        .thenComparing(Map.Entry.comparingByKey()))
                .limit(most)
                .map(each -> new Hot(each.getKey(), perSecondOf(each.getValue())))
                .toList();
    }
}
