package io.steadfs.metrics;

import java.util.Optional;

/**
 * Maps a number in STATUS to the metric that shows this number. One object may also map several numbers whose names
 * have a common prefix.
 *
 * @param status the number's name in STATUS, such as {@code log.batches}. If the object maps several numbers, the
 *     status is their common prefix, such as {@code messages.in.}
 * @param metric the metric's name for Prometheus, without the suffix {@code _total} that counters get
 * @param label the label whose value is the rest of the number's name in STATUS; empty for a single number
 * @param help a description for people, in one sentence
 */
record MetricName(String status, String metric, Optional<String> label, String help) {
    private static final String PREFIX = "steadfs_";

    /** A single number, whose metric has the same name as the number in STATUS. */
    static MetricName one(String status, String help) {
        return one(status, status.replace('.', '_'), help);
    }

    static MetricName one(String status, String metric, String help) {
        return new MetricName(status, PREFIX + metric, Optional.empty(), help);
    }

    /** Several numbers in one metric. A label distinguishes the numbers. */
    static MetricName each(String beginning, String metric, String label, String help) {
        return new MetricName(beginning, PREFIX + metric, Optional.of(label), help);
    }

    /** A number that {@link MetricNames} does not know, and that is shown without a description. */
    static MetricName unknown(String status) {
        return one(status, status.replaceAll("[^A-Za-z0-9]", "_"), "As STATUS has it under " + status + ".");
    }
}
