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
 * The web interface of a real cluster. In its directory:
 *
 * <pre>
 *  users.json   who may log in
 *  audit.log    what was changed
 *  checks/      {@link Runs}
 *  cluster-map. {@link KnownCluster}, with the address that it was told behind the dot
 * </pre>
 */
public final class WebInterface implements AutoCloseable {
    /** For which a check asks a server again that is busy or away. */
    private static final long PATIENCE_MILLIS = TimeUnit.MINUTES.toMillis(1);

    private final WebServer server;
    private final Runs runs;

    private WebInterface(WebServer server, Runs runs) {
        this.server = server;
        this.runs = runs;
    }

    /**
     * Serves on return.
     *
     * @param fs as the superuser; closed by whoever made it, after this, like the transport
     * @param known which servers there are; kept in the directory
     * @param caller as whom it was made
     * @throws IOException naming what of directory or address is in the way
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
                    new LiveDirectories(transport, fs, caller),
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

    /** The operator that the first start made; its password is told here alone. */
    public Optional<Users.NewUser> first() {
        return server.first();
    }

    /** A check that is at work is ended; it can be resumed at the next start. */
    @Override
    public void close() throws IOException {
        try {
            server.close();
        } finally {
            runs.close();
        }
    }
}
