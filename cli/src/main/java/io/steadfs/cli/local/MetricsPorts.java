package io.steadfs.cli.local;

import io.steadfs.config.Settings;
import io.steadfs.membership.ServerId;
import io.steadfs.metrics.MetricsServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Chooses the ports of {@code /metrics} in a local cluster. All servers share one configuration. So the first server
 * gets the configured port, and each further server gets the next higher port. If no port is configured, the cluster's
 * {@link PortChoice} decides.
 *
 * @param servers all servers of the cluster, in order
 */
record MetricsPorts(List<ServerId> servers, LocalPorts ports, PortChoice choice) {

    /** The settings that only this server has. The servers share all other settings. */
    Map<String, String> of(ServerId server, Settings settings) throws IOException {
        Optional<Integer> first = settings.get(MetricsServer.PORT);
        if (first.isEmpty()) {
            return Map.of(
                    MetricsServer.PORT.name(),
                    Integer.toString(ports.choose(name(server), choice.metricsOf(server), choice)));
        }
        return first.get() <= 0
                ? Map.of()
                : Map.of(MetricsServer.PORT.name(), Integer.toString(first.get() + servers.indexOf(server)));
    }

    /** Stores the port for the next start, except if the configuration sets the port. */
    void remember(ServerId server, Settings settings, Optional<String> url) throws IOException {
        if (settings.get(MetricsServer.PORT).isEmpty() && url.isPresent()) {
            ports.remember(name(server), java.net.URI.create(url.get()).getPort());
        }
    }

    private static String name(ServerId server) {
        return "metrics of " + server;
    }
}
