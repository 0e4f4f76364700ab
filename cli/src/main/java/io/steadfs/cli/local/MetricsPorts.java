package io.steadfs.cli.local;

import io.steadfs.config.Settings;
import io.steadfs.membership.ServerId;
import io.steadfs.metrics.MetricsServer;
import java.util.List;
import java.util.Map;

/**
 * Ports of {@code /metrics} in a local cluster, whose servers share one configuration: any free ones, or the configured
 * one for the first server and the next ones for the others.
 *
 * @param servers all of them, in order
 */
record MetricsPorts(List<ServerId> servers) {

    /** What the server is configured with beside what all are. */
    Map<String, String> of(ServerId server, Settings settings) {
        long first = settings.get(MetricsServer.PORT);
        return first <= 0
                ? Map.of()
                : Map.of(MetricsServer.PORT.name(), Long.toString(first + servers.indexOf(server)));
    }
}
