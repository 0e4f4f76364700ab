package io.steadfs.lab.bench.compare.system;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.net.URLConnection;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.TreeMap;

/**
 * What a server answers to {@code /metrics}, in Prometheus' text format. That page tells of any build what STATUS tells of this
 * one only, whose messages others may not understand.
 *
 * @param sums by name of the metric, over all labels
 */
record MetricsPage(Map<String, Double> sums) {
    private static final int TIMEOUT_MILLIS = 10_000;

    /** Asks the server. */
    static MetricsPage read(URI uri) throws IOException {
        URLConnection connection = uri.toURL().openConnection();
        connection.setConnectTimeout(TIMEOUT_MILLIS);
        connection.setReadTimeout(TIMEOUT_MILLIS);
        try (InputStream in = connection.getInputStream()) {
            return parse(new String(in.readAllBytes(), StandardCharsets.UTF_8));
        }
    }

    /** Takes lines such as {@code steadfs_log_fsyncs_total{role="mds",shard="0"} 7.0}. */
    static MetricsPage parse(String text) {
        Map<String, Double> sums = new TreeMap<>();
        text.lines().filter(line -> !line.isBlank() && !line.startsWith("#")).forEach(line -> {
            int nameEnds = line.indexOf('{') < 0 ? line.indexOf(' ') : line.indexOf('{');
            double value = Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1));
            sums.merge(line.substring(0, nameEnds), value, Double::sum);
        });
        return new MetricsPage(sums);
    }

    /** 0 where the page does not have it: servers tell of a kind of message after the first one. */
    long sum(String name) {
        return Math.round(sums.getOrDefault(name, 0.0));
    }
}
