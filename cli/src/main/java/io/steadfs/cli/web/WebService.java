package io.steadfs.cli.web;

import io.steadfs.cli.connect.Connection;
import io.steadfs.cli.connect.Connections;
import io.steadfs.cli.connect.SteadUri;
import io.steadfs.time.SystemClock;
import io.steadfs.webui.WebInterface;
import io.steadfs.webui.WebServer;
import io.steadfs.webui.cluster.KnownCluster;
import io.steadfs.webui.configuration.Configured;
import io.steadfs.webui.login.Users;
import java.io.IOException;
import java.net.URI;
import java.util.Map;
import java.util.Optional;

/** Runs the web interface in this process. The web interface has a client of its own. */
public final class WebService implements AutoCloseable {
    /**
     * Settings of the client. Users wait for a page, so an operation must soon give up if no metadata server answers.
     */
    private static final Map<String, String> IMPATIENT = Map.of(
            "stead.client.operation.timeout", "10000",
            "stead.client.attempt.timeout", "2000",
            "stead.client.name", "web interface");

    private final Connections connections;
    private final Connection connection;
    private final WebInterface web;

    private WebService(Connections connections, Connection connection, WebInterface web) {
        this.connections = connections;
        this.connection = connection;
        this.web = web;
    }

    /**
     * Starts the web interface, even if no server of the cluster answers. The web interface serves requests when the
     * method returns.
     *
     * @throws IOException if the directory or the address cannot be used; the message names the cause
     */
    public static WebService start(SteadUri cluster, WebServer.Options options, Configured configured)
            throws IOException {
        KnownCluster known = KnownCluster.in(options.directory(), cluster.server());
        Connections connections = Connections.ofWatcher();
        Optional<Connection> connection = Optional.empty();
        try {
            Connection opened = connections.open(known.metadataServers(), IMPATIENT);
            connection = Optional.of(opened);
            WebInterface web = WebInterface.start(
                    options,
                    opened.transport(),
                    opened.fs(),
                    known,
                    Connections.caller(),
                    configured,
                    new SystemClock());
            return new WebService(connections, opened, web);
        } catch (IOException | RuntimeException e) {
            connection.ifPresent(Connection::close);
            connections.close();
            throw e;
        }
    }

    public URI uri() {
        return web.uri();
    }

    /** The operator account that the first start created. Only this result contains the operator's password. */
    public Optional<Users.NewUser> first() {
        return web.first();
    }

    /** A message for people about the operator account that the first start created. Empty if users existed before. */
    public Optional<String> firstUser() {
        return web.first().map(WebService::words);
    }

    private static String words(Users.NewUser user) {
        return "first user of the web interface: " + user.name() + ", password " + user.password() + " (told only now)";
    }

    @Override
    public void close() throws IOException {
        try {
            web.close();
        } finally {
            connection.close();
            connections.close();
        }
    }
}
