package io.steadfs.metrics;

import java.util.Optional;

/**
 * A number of STATUS, or several whose names begin alike, and the metric that shows it.
 *
 * @param status name in STATUS, such as {@code log.batches}; where there is a label, what the names begin with, such as
 *     {@code messages.in.}
 * @param metric name for Prometheus, without the {@code _total} of a counter
 * @param label holds the rest of the name in STATUS
 * @param help one sentence
 */
record MetricName(String status, String metric, Optional<String> label, String help) {
    private static final String PREFIX = "steadfs_";

    /** One number. Its metric is named as it is in STATUS. */
    static MetricName one(String status, String help) {
        return one(status, status.replace('.', '_'), help);
    }

    static MetricName one(String status, String metric, String help) {
        return new MetricName(status, PREFIX + metric, Optional.empty(), help);
    }

    /** Several numbers, apart by a label. */
    static MetricName each(String beginning, String metric, String label, String help) {
        return new MetricName(beginning, PREFIX + metric, Optional.of(label), help);
    }

    /** A number that nobody described: it is shown all the same. */
    static MetricName unknown(String status) {
        return one(status, status.replaceAll("[^A-Za-z0-9]", "_"), "As STATUS has it under " + status + ".");
    }
}
