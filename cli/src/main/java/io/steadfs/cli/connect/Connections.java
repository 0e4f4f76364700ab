package io.steadfs.cli.connect;

import io.steadfs.admin.StatusOf;
import io.steadfs.admin.WatchingTransport;
import io.steadfs.cli.counting.MeteredTransport;
import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.config.Settings;
import io.steadfs.error.FsException;
import io.steadfs.hello.Introduction;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.netty.EventLoops;
import io.steadfs.rpc.netty.NettyOptions;
import io.steadfs.rpc.netty.NettyTransport;
import io.steadfs.time.SystemClock;
import io.steadfs.time.ThreadScheduler;
import io.steadfs.wire.proto.Caller;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Makes clients for the user of this process. The clients share threads, but nothing else. */
public final class Connections implements AutoCloseable {
    private final Settings shared;
    /** Whether servers count the requests of this process separately from other requests. */
    private final boolean watching;

    private final SystemClock clock = new SystemClock();
    private final ThreadScheduler scheduler = new ThreadScheduler("stead-client-timer");
    private final EventLoops loops;
    private final Introduction introduction;

    /** Makes clients with {@code settings}. */
    public Connections(Settings settings) {
        this(settings, Introduction.client(), false);
    }

    private Connections(Settings settings, Introduction introduction, boolean watching) {
        this.shared = settings;
        this.introduction = introduction;
        this.watching = watching;
        this.loops = EventLoops.open("stead-client", settings);
    }

    /**
     * Makes clients with the settings that the system properties {@code -Dstead.KEY=VALUE} contain. Other settings have
     * their defaults.
     */
    public static Connections ofProcess() {
        return new Connections(settingsOfProcess());
    }

    /**
     * Makes clients for a tool that inspects servers and repairs their contents. Each connection tells the server that
     * the client is such a tool.
     */
    public static Connections ofOperator() {
        return new Connections(settingsOfProcess(), Introduction.admin(), false);
    }

    /**
     * Makes clients as {@link #ofOperator} does, but for a tool that only watches. Servers count the requests of such a
     * tool separately.
     */
    public static Connections ofWatcher() {
        return new Connections(settingsOfProcess(), Introduction.admin(), true);
    }

    private static Settings settingsOfProcess() {
        return Settings.from(key -> Optional.ofNullable(System.getProperty(key)));
    }

    /**
     * Makes one more client. The method first asks the server for its status, because an operation would keep trying
     * for minutes.
     *
     * @throws FsException if the server does not answer; the message names the server
     */
    public Connection open(SteadUri uri) throws FsException {
        return open(uri, Map.of());
    }

    /**
     * Makes one more client that has some settings of its own.
     *
     * @param own settings by configuration key; these settings override the settings of all clients
     * @throws FsException if the server does not answer; the message names the server
     */
    public Connection open(SteadUri uri, Map<String, String> own) throws FsException {
        Connection connection = open(List.of(uri.server()), own);
        try {
            StatusOf.server(connection.transport(), "metadata server", uri.server());
        } catch (FsException e) {
            connection.close();
            throw e;
        }
        return connection;
    }

    /**
     * Makes one more client, even if no server answers now.
     *
     * @param servers metadata servers to ask for the cluster map, at least one
     * @param own settings by configuration key; these settings override the settings of all clients
     */
    public Connection open(List<ServerAddress> servers, Map<String, String> own) {
        Settings settings = shared.with(own);
        MessageCounters messages = MessageCounters.keeping(settings);
        NettyTransport network = new NettyTransport(loops, NettyOptions.from(settings), messages, clock, introduction);
        MeteredTransport transport = new MeteredTransport(watching ? new WatchingTransport(network) : network);
        SteadFs fs = SteadClient.connect(transport, clock, scheduler, settings, servers, caller());
        return new Connection(transport, messages.recent(), fs);
    }

    /** The user on whose behalf this process sends requests. */
    public static Caller caller() {
        return Caller.newBuilder().setUser(System.getProperty("user.name")).build();
    }

    /** Stops the shared threads. The caller must close the clients first. */
    @Override
    public void close() {
        scheduler.close();
        loops.close();
    }
}
