package io.steadfs.lab.bench.pace;

import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Histogram of durations of up to one hour, with three significant digits. Only one thread may record durations. */
public final class Latencies {
    private static final long HOUR_NANOS = 3_600_000_000_000L;

    private final Histogram nanos = new Histogram(HOUR_NANOS, 3);

    /** Records one duration in nanoseconds. A duration of more than an hour counts as an hour. */
    public void record(long durationNanos) {
        nanos.recordValue(Math.min(durationNanos, HOUR_NANOS));
    }

    /** Adds all durations of the other histogram. Nobody may record durations in either of them meanwhile. */
    public void add(Latencies other) {
        nanos.add(other.nanos);
    }

    /** The number of recorded durations. */
    public long count() {
        return nanos.getTotalCount();
    }

    /**
     * The duration in microseconds that this percentage of all durations does not exceed, such as 99 for p99; 0 if
     * there are no durations.
     */
    public double percentileMicros(double percentile) {
        return round((double) nanos.getValueAtPercentile(percentile));
    }

    /** Mean, median (p50), 99th percentile (p99) and maximum of the durations, in microseconds. */
    public Map<String, Double> micros() {
        Map<String, Double> micros = new LinkedHashMap<>();
        micros.put("mean", round(nanos.getMean()));
        micros.put("p50", percentileMicros(50));
        micros.put("p99", percentileMicros(99));
        micros.put("max", round((double) nanos.getMaxValue()));
        return micros;
    }

    private static double round(double value) {
        return Math.round(value / 100) / 10.0;
    }
}
