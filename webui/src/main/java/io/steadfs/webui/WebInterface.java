package io.steadfs.webui;

import io.steadfs.client.SteadFs;
import io.steadfs.fsck.ClusterServers;
import io.steadfs.fsck.LostAndFoundDirectory;
import io.steadfs.fsck.Waiting;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Clock;
import io.steadfs.webui.check.Runs;
import io.steadfs.webui.cluster.KnownCluster;
import io.steadfs.webui.cluster.LiveCluster;
import io.steadfs.webui.configuration.Configured;
import io.steadfs.webui.login.Users;
import io.steadfs.webui.namespace.LiveDirectories;
import io.steadfs.webui.timeline.LiveTimelines;
import io.steadfs.wire.proto.Caller;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/**
 * The web interface of a real cluster. The directory of the web interface contains:
 *
 * <pre>
 *  users.json   who may log in
 *  audit.log    all changes
 *  checks/      {@link Runs}
 *  cluster-map. {@link KnownCluster}, with the configured address behind the dot
 * </pre>
 */
public final class WebInterface implements AutoCloseable {
    /** How long a check keeps asking a server that is busy or unreachable, in milliseconds. */
    private static final long PATIENCE_MILLIS = TimeUnit.MINUTES.toMillis(1);

    private final WebServer server;
    private final Runs runs;

    private WebInterface(WebServer server, Runs runs) {
        this.server = server;
        this.runs = runs;
    }

    /**
     * Starts the web interface. The web interface serves requests when this method returns.
     *
     * @param fs the file system with the rights of the superuser. The caller closes {@code fs} and the transport after
     * this object.
     * @param known the known servers; stored in the directory of the web interface
     * @param caller the user on whose behalf {@code fs} was made
     * @throws IOException if the directory or the address cannot be used; the message names the cause
     */
    public static WebInterface start(
            WebServer.Options options,
            Transport transport,
            SteadFs fs,
            KnownCluster known,
            Caller caller,
            Configured configured,
            Clock clock)
            throws IOException {
        Runs runs = Runs.in(
                options.directory().resolve("checks"),
                clock,
                () -> new ClusterServers(transport, fs::clusterMap, caller, PATIENCE_MILLIS, Waiting.ofThread()),
                new LostAndFoundDirectory(fs, caller.getUser()));
        try {
            WebServer.Views views = new WebServer.Views(
                    new LiveCluster(transport, known, clock),
                    new LiveDirectories(fs, transport, caller, clock),
                    runs,
                    new LiveTimelines(transport, fs, caller, clock),
                    configured);
            return new WebInterface(WebServer.start(options, views, clock), runs);
        } catch (IOException | RuntimeException e) {
            runs.close();
            throw e;
        }
    }

    public URI uri() {
        return server.uri();
    }

    /** The operator account that the first start created. Only this object contains the operator's password. */
    public Optional<Users.NewUser> first() {
        return server.first();
    }

    /** Cancels a check in progress. An operator can resume the check after the next start. */
    @Override
    public void close() throws IOException {
        try {
            server.close();
        } finally {
            runs.close();
        }
    }
}
