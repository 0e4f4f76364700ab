package io.steadfs.lab.bench.compare.system;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * The metrics page of a server: the answer to {@code /metrics} in the text format of Prometheus. Every build has this
 * page. The message STATUS has the same numbers, but other builds may not understand this build's messages.
 *
 * @param sums value of each metric by name, summed over all labels
 */
record MetricsPage(Map<String, Double> sums) {
    private static final int TIMEOUT_MILLIS = 10_000;

    /** Fetches the page from the server. */
    static MetricsPage read(URI uri) throws IOException {
        URLConnection connection = uri.toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        try (InputStream in = connection.getInputStream()) {
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** Reads lines such as {@code steadfs_log_fsyncs_total{role="mds",shard="0"} 7.0}. */
    static MetricsPage parse(String text) {
        Map<String, Double> sums = new TreeMap<>();
        text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).forEach(line -> {
            int nameEnds = line.indexOf('{') < 0 ? line.indexOf(' ') : line.indexOf('{');
            double value = Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
            sums.merge(line.substring(0, nameEnds), value, Double::sum);
        });
        return new MetricsPage(sums);
    }

    /**
     * Value of the metric; 0 if the page does not have the metric. The counter of a kind of message appears only after
     * the first message of that kind.
     */
    long sum(String name) {
        return Math.round(sums.getOrDefault(name, 0.0));
    }
}
