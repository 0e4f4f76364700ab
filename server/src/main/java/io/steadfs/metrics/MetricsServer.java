package io.steadfs.metrics;

import io.prometheus.metrics.exporter.httpserver.HTTPServer;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import io.steadfs.cluster.UsualPorts;
import io.steadfs.config.ConfigException;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.ConfigKeys;
import io.steadfs.config.Settings;
import io.steadfs.membership.ServerId;
import io.steadfs.membership.ServerPort;
import io.steadfs.rpc.ForwardedCall;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.StatusReply;
import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves two pages of one server over HTTP: {@code /metrics} in Prometheus' text format, and {@code /health}. A request
 * only reads from the server. A failing request is logged and does not harm the server. At most 10 threads answer
 * requests. If more than {@value #MOST_CONNECTIONS} connections are open, further ones are closed at once.
 */
public final class MetricsServer implements AutoCloseable {
    public static final ConfigKey<String> BIND_HOST = new ConfigKey<>(
            "stead.metrics.bind.host",
            "127.0.0.1",
            "",
            "Address on which a server answers /metrics and /health over HTTP, to whoever reaches it.",
            MetricsServer::host);

    public static final ConfigKey<Optional<Integer>> PORT = ServerPort.key(
            "stead.metrics.port",
            -1,
            "Port of /metrics and /health: usual is 10000 above the server's usual port, so 17410 for mds-1; 0 takes any"
                    + " free one, -1 answers neither. In stead local a number is the first server's, and each further one has"
                    + " the next port.");

    public static final ConfigKeys KEYS = new ConfigKeys(List.of(BIND_HOST, PORT));

    private static final Logger LOG = LoggerFactory.getLogger(MetricsServer.class);
    private static final int OFF = -1;
    private static final String MOST_CONNECTIONS = "100";

    static {
        // The JDK's HTTP server reads this property only once in a process. Nothing else in this process uses that HTTP
        // server.
        if (System.getProperty("jdk.httpserver.maxConnections") == null) {
            System.setProperty("jdk.httpserver.maxConnections", MOST_CONNECTIONS);
        }
    }

    private final Optional<HTTPServer> http;
    private final Optional<ServerAddress> address;

    private MetricsServer(Optional<HTTPServer> http, Optional<ServerAddress> address) {
        this.http = http;
        this.address = address;
    }

    /**
     * Starts to answer requests, unless the configuration turns the pages off.
     *
     * @param status returns the server's own status; called from any thread
     * @param reasons returns why the server does not serve, empty if it serves; called from any thread
     * @throws IOException naming the configuration keys and their values, if this process cannot listen at that address
     */
    public static MetricsServer start(
            ServerId server, Settings settings, Supplier<StatusReply> status, Supplier<List<String>> reasons)
            throws IOException {
        String host = settings.get(BIND_HOST);
        int port = settings.get(PORT).orElseGet(() -> UsualPorts.metricsOf(ServerPort.usual(server)));
        if (port == OFF) {
            return new MetricsServer(Optional.empty(), Optional.empty());
        }
        PrometheusRegistry registry = new PrometheusRegistry();
        registry.register(new StatusMetrics(server, status));
        HTTPServer http;
        try {
            http = HTTPServer.builder()
                    .inetAddress(resolve(host))
                    .port(port)
                    .registry(registry)
                    .defaultHandler(new HealthHandler(reasons))
                    .registerHealthHandler(false)
                    .buildAndStart();
        } catch (IOException e) {
            throw new IOException(
                    "metrics of " + server + " cannot be answered at " + BIND_HOST.name() + " = '" + host + "', "
                            + PORT.name() + " = '" + port + "': " + e.getMessage(),
                    e);
        }
        ServerAddress address = new ServerAddress(host, http.getPort());
        LOG.info("{} answers http://{}/metrics", server, address);
        return new MetricsServer(Optional.of(http), Optional.of(address));
    }

    private static String host(String text) {
        try {
            return new ServerAddress(text, 1).host();
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException("is no host: " + e.getMessage(), e);
        }
    }

    private static InetAddress resolve(String host) {
        try {
            return InetAddress.getByName(host);
        } catch (UnknownHostException e) {
            throw new ConfigException(
                    "configuration key " + BIND_HOST.name() + ": value '" + host + "' is no host that is known here",
                    e);
        }
    }

    /** The address of the pages; empty if the configuration turns the pages off. */
    public Optional<ServerAddress> address() {
        return address;
    }

    /** Wraps the server's door. The wrapped door adds the address of the pages to replies to STATUS. */
    public RequestHandler toldBy(RequestHandler door) {
        return address.isEmpty()
                ? door
                : call -> {
                    boolean status = call.request().kind() == Kind.STATUS;
                    door.handle(status ? new ForwardedCall(call, reply -> call.reply(withAddress(reply))) : call);
                };
    }

    private Reply withAddress(Reply reply) {
        return reply.isOk() && reply.body() instanceof StatusReply status
                ? new Reply(
                        reply.error(),
                        reply.header(),
                        status.toBuilder()
                                .setMetricsAddress(
                                        address.map(ServerAddress::toString).orElse(""))
                                .build(),
                        reply.payload())
                : reply;
    }

    /** Closes the pages. A second call does nothing. */
    @Override
    public void close() {
        http.ifPresent(HTTPServer::close);
    }
}
