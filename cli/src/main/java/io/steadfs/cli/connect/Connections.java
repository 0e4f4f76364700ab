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

/** Makes clients for the user of this process. They share threads and nothing else. */
public final class Connections implements AutoCloseable {
    private final Settings shared;
    /** Whether servers count this process's requests separately. */
    private final boolean watching;

    private final SystemClock clock = new SystemClock();
    private final ThreadScheduler scheduler = new ThreadScheduler("stead-client-timer");
    private final EventLoops loops;
    private final Introduction introduction;

    /** Makes clients with these settings. */
    public Connections(Settings settings) {
        this(settings, Introduction.client(), false);
    }

    private Connections(Settings settings, Introduction introduction, boolean watching) {
        this.shared = settings;
        this.introduction = introduction;
        this.watching = watching;
        this.loops = EventLoops.open("stead-client", settings);
    }

    /** Makes clients with the settings of {@code -Dstead.KEY=VALUE}, else the defaults. */
    public static Connections ofProcess() {
        return new Connections(settingsOfProcess());
    }

    /** Makes clients for a tool that looks into servers and repairs their contents. Its connections say so. */
    public static Connections ofOperator() {
        return new Connections(settingsOfProcess(), Introduction.admin(), false);
    }

    /** Does the same as {@link #ofOperator}, for a tool that watches: servers count its requests separately. */
    public static Connections ofWatcher() {
        return new Connections(settingsOfProcess(), Introduction.admin(), true);
    }

    private static Settings settingsOfProcess() {
        return Settings.from(key -> Optional.ofNullable(System.getProperty(key)));
    }

    /**
     * Makes one more client. First the server is asked whether it is there, because an operation would go on asking for minutes.
     *
     * @throws FsException naming the server if it does not answer
     */
    public Connection open(SteadUri uri) throws FsException {
        return open(uri, Map.of());
    }

    /**
     * Makes one more client with some settings of its own.
     *
     * @param own by key of the configuration; they override those of all clients
     * @throws FsException naming the server if it does not answer
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
     * Makes one more client, whether or not any server answers now.
     *
     * @param servers metadata servers to ask for the cluster map, at least one
     * @param own by key of the configuration; they override those of all clients
     */
    public Connection open(List<ServerAddress> servers, Map<String, String> own) {
        Settings settings = shared.with(own);
        MessageCounters messages = MessageCounters.keeping(settings);
        NettyTransport network = new NettyTransport(loops, NettyOptions.from(settings), messages, clock, introduction);
        MeteredTransport transport = new MeteredTransport(watching ? new WatchingTransport(network) : network);
        SteadFs fs = SteadClient.connect(transport, clock, scheduler, settings, servers, caller());
        return new Connection(transport, messages.recent(), fs);
    }

    /** The caller of this process's requests. */
    public static Caller caller() {
        return Caller.newBuilder().setUser(System.getProperty("user.name")).build();
    }

    /** Ends the threads; close the clients first. */
    @Override
    public void close() {
        scheduler.close();
        loops.close();
    }
}
