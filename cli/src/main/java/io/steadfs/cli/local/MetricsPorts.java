package io.steadfs.cli.local;

import io.steadfs.config.Settings;
import io.steadfs.membership.ServerId;
import io.steadfs.metrics.MetricsServer;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Ports of {@code /metrics} in a local cluster. Its servers share one configuration, so the first server gets the configured port and the
 * others the next ones. If none is configured, the ports follow the cluster's {@link PortChoice}.
 *
 * @param servers all of them, in order
 */
record MetricsPorts(List<ServerId> servers, LocalPorts ports, PortChoice choice) {

    /** The server's own settings, besides those that all servers share. */
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

    /** Stores the port for the next start, if no configuration sets it. */
    void remember(ServerId server, Settings settings, Optional<String> url) throws IOException {
        if (settings.get(MetricsServer.PORT).isEmpty() && url.isPresent()) {
            ports.remember(name(server), java.net.URI.create(url.get()).getPort());
        }
    }

    private static String name(ServerId server) {
        return "metrics of " + server;
    }
}
