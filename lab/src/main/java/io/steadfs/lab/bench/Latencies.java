package io.steadfs.lab.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import org.HdrHistogram.Histogram;

/** Histogram of durations of up to one hour, with three significant digits. Only one thread may record durations. */
final class Latencies {
    private static final long HOUR_NANOS = 3_600_000_000_000L;

    private final Histogram nanos = new Histogram(HOUR_NANOS, 3);

    void record(long durationNanos) {
        nanos.recordValue(Math.min(durationNanos, HOUR_NANOS));
    }

    void add(Latencies other) {
        nanos.add(other.nanos);
    }

    /** Mean, median (p50), 99th percentile (p99) and maximum of the durations, in microseconds. */
    Map<String, Double> micros() {
        Map<String, Double> micros = new LinkedHashMap<>();
        micros.put("mean", round(nanos.getMean()));
        micros.put("p50", round((double) nanos.getValueAtPercentile(50)));
        micros.put("p99", round((double) nanos.getValueAtPercentile(99)));
        micros.put("max", round((double) nanos.getMaxValue()));
        return micros;
    }

    private static double round(double value) {
        return Math.round(value / 100) / 10.0;
    }
}
