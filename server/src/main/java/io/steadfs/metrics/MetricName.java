package io.steadfs.metrics;

import java.util.Optional;

/**
 * A number in STATUS, or several with a common prefix, and the metric that shows it.
 *
 * @param status name in STATUS, such as {@code log.batches}; if there is a label, the common prefix, such as {@code messages.in.}
 * @param metric name for Prometheus, without the {@code _total} of a counter
 * @param label holds the rest of the name in STATUS
 * @param help one sentence
 */
record MetricName(String status, String metric, Optional<String> label, String help) {
    private static final String PREFIX = "steadfs_";

    /** A single number. Its metric has the same name as in STATUS. */
    static MetricName one(String status, String help) {
        return one(status, status.replace('.', '_'), help);
    }

    static MetricName one(String status, String metric, String help) {
        return new MetricName(status, PREFIX + metric, Optional.empty(), help);
    }

    /** Several numbers, told apart by a label. */
    static MetricName each(String beginning, String metric, String label, String help) {
        return new MetricName(beginning, PREFIX + metric, Optional.of(label), help);
    }

    /** A number without a description. It is shown all the same. */
    static MetricName unknown(String status) {
        return one(status, status.replaceAll("[^A-Za-z0-9]", "_"), "As STATUS has it under " + status + ".");
    }
}
