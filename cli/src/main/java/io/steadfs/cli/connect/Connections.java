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
    /** Whether servers count what is asked apart from other requests. */
    private final boolean watching;

    private final SystemClock clock = new SystemClock();
    private final ThreadScheduler scheduler = new ThreadScheduler("stead-client-timer");
    private final EventLoops loops;
    private final Introduction introduction;

    /** Of clients. */
    public Connections(Settings settings) {
        this(settings, Introduction.client(), false);
    }

    private Connections(Settings settings, Introduction introduction, boolean watching) {
        this.shared = settings;
        this.introduction = introduction;
        this.watching = watching;
        this.loops = EventLoops.open("stead-client", settings);
    }

    /** Of clients with what {@code -Dstead.KEY=VALUE} says, else the defaults. */
    public static Connections ofProcess() {
        return new Connections(settingsOfProcess());
    }

    /** Likewise, of a tool that looks into servers and mends what they hold: its connections say so. */
    public static Connections ofOperator() {
        return new Connections(settingsOfProcess(), Introduction.admin(), false);
    }

    /** As {@link #ofOperator}, of a tool that watches: servers count its requests apart from those of others. */
    public static Connections ofWatcher() {
        return new Connections(settingsOfProcess(), Introduction.admin(), true);
    }

    private static Settings settingsOfProcess() {
        return Settings.from(key -> Optional.ofNullable(System.getProperty(key)));
    }

    /**
     * One more client. The server is asked whether it is there: an operation would go on asking for minutes.
     *
     * @throws FsException naming the server if it does not answer
     */
    public Connection open(SteadUri uri) throws FsException {
        return open(uri, Map.of());
    }

    /**
     * One more client, some of whose settings are its own.
     *
     * @param own by key of the configuration; they stand above those of all clients
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
     * One more client, whether or not any server answers now.
     *
     * @param servers metadata servers to ask for the cluster map, at least one
     * @param own by key of the configuration; they stand above those of all clients
     */
    public Connection open(List<ServerAddress> servers, Map<String, String> own) {
        Settings settings = shared.with(own);
        MessageCounters messages = MessageCounters.keeping(settings);
        NettyTransport network = new NettyTransport(loops, NettyOptions.from(settings), messages, clock, introduction);
        MeteredTransport transport = new MeteredTransport(watching ? new WatchingTransport(network) : network);
        SteadFs fs = SteadClient.connect(transport, clock, scheduler, settings, servers, caller());
        return new Connection(transport, messages.recent(), fs);
    }

    /** As whom this process asks. */
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
