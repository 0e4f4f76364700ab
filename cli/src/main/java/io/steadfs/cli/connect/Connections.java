package io.steadfs.cli.connect;

import io.steadfs.admin.StatusOf;
import io.steadfs.cli.counting.MeteredTransport;
import io.steadfs.client.SteadClient;
import io.steadfs.client.SteadFs;
import io.steadfs.config.Settings;
import io.steadfs.error.FsException;
import io.steadfs.hello.Introduction;
import io.steadfs.rpc.MessageCounters;
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
    private final SystemClock clock = new SystemClock();
    private final ThreadScheduler scheduler = new ThreadScheduler("stead-client-timer");
    private final EventLoops loops;
    private final Introduction introduction;

    /** Of clients. */
    public Connections(Settings settings) {
        this(settings, Introduction.client());
    }

    private Connections(Settings settings, Introduction introduction) {
        this.shared = settings;
        this.introduction = introduction;
        this.loops = EventLoops.open("stead-client", settings);
    }

    /** Of clients with what {@code -Dstead.KEY=VALUE} says, else the defaults. */
    public static Connections ofProcess() {
        return new Connections(settingsOfProcess());
    }

    /** Likewise, of a tool that looks into servers and mends what they hold: its connections say so. */
    public static Connections ofOperator() {
        return new Connections(settingsOfProcess(), Introduction.admin());
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
        Settings settings = shared.with(own);
        MessageCounters messages = MessageCounters.keeping(settings);
        MeteredTransport transport = new MeteredTransport(
                new NettyTransport(loops, NettyOptions.from(settings), messages, clock, introduction));
        try {
            StatusOf.server(transport, "metadata server", uri.server());
        } catch (FsException e) {
            transport.close();
            throw e;
        }
        SteadFs fs = SteadClient.connect(transport, clock, scheduler, settings, List.of(uri.server()), caller());
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
