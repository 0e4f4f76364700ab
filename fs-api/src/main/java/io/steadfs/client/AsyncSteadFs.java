package io.steadfs.client;

import io.steadfs.client.call.AttributeCache;
import io.steadfs.client.call.ClientCounters;
import io.steadfs.client.call.CountingTransport;
import io.steadfs.client.call.Courier;
import io.steadfs.client.call.DirectoryCache;
import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Pauses;
import io.steadfs.client.call.RetryRule;
import io.steadfs.client.call.SessionKeeper;
import io.steadfs.client.call.StreamMemory;
import io.steadfs.client.create.AdaptiveCreate;
import io.steadfs.client.create.CreateChoice;
import io.steadfs.client.create.CreateProtocol;
import io.steadfs.client.read.ReadOptions;
import io.steadfs.client.write.Opening;
import io.steadfs.client.write.RecordedCalls;
import io.steadfs.client.write.WriteOptions;
import io.steadfs.cluster.ClusterMapCache;
import io.steadfs.cluster.ClusterView;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import io.steadfs.error.FsException;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import java.util.List;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * Is the asynchronous client of one caller. Every operation returns a future. The operations are in groups, such as
 * {@link #names}. The blocking client {@link SteadClient} waits for futures of this class. Everything runs on the
 * threads of the transport, the scheduler and the callers. A client has no threads of its own, so a client also runs in
 * a simulation. Thread-safe.
 *
 * <p>A future may complete on a thread that waits for another call of any client of this process. So what is done then
 * must be short, and must not wait: for no blocking call, and for no lock that a thread may hold while it makes a
 * blocking call. Such a lock may also be held by the very thread that completes the future. A blocking call there fails
 * with an {@link IllegalStateException}. The thread may have an interrupt that is meant for its own call.
 *
 * <p>A future fails with {@link FsException}. Cancelling a future also cancels its request, if that is still possible.
 * A create or an append goes on until its outcome is known, even if the caller has cancelled the future. After a
 * cancellation, the client gives the opened file up, see {@link Opening}.
 *
 * <p>All messages of one operation share a trace id. All messages about one open file share a trace id, from create to
 * close.
 */
public final class AsyncSteadFs {
    static final ConfigKey<String> NAME = ConfigKey.text(
            "stead.client.name", "", "What the servers show people as this client's name: host, process, purpose.");
    static final List<ConfigKey<?>> KEYS = List.of(
            ListCalls.PAGE,
            NAME,
            NearServer.HOST,
            CreateProtocol.KEY,
            CreateProtocol.EAGER,
            CreateChoice.HINTS,
            AdaptiveCreate.RATE);

    private final ClientCounters counters = new ClientCounters();
    private final Courier courier;
    private final SessionKeeper sessions;
    private final ClientLeases leases;
    private final CreateChoice creates;
    private final AttributeCalls attributes;
    private final NameCalls names;
    private final ListCalls lists;
    private final ReadCalls reads;
    private final WriteCalls writes;

    /**
     * @param servers metadata servers that the client may ask for the cluster map; at least one
     * @param caller user and groups that every request names
     * @param random gives session ids; every client needs a generator with a different seed
     */
    public AsyncSteadFs(
            Transport transport,
            Clock clock,
            Scheduler scheduler,
            RandomGenerator random,
            Settings settings,
            List<ServerAddress> servers,
            Caller caller) {
        this(transport, clock, scheduler, random, settings, servers, caller, StreamMemory.of(settings));
    }

    /** @param memory memory for the bytes of open files; other clients may share the memory */
    AsyncSteadFs(
            Transport transport,
            Clock clock,
            Scheduler scheduler,
            RandomGenerator random,
            Settings settings,
            List<ServerAddress> servers,
            Caller caller,
            StreamMemory memory) {
        Transport counted = new CountingTransport(transport, counters.messages, clock);
        RetryRule rule = new RetryRule(settings, random);
        ClusterMapCache cluster = new ClusterMapCache(
                counted, clock, servers, caller, rule.attemptTimeoutMillis(), rule.reachTimeoutMillis());
        this.courier = new Courier(
                counted,
                clock,
                scheduler,
                new Pauses(scheduler),
                cluster,
                rule,
                caller,
                counters,
                DirectoryCache.of(settings, counters),
                AttributeCache.of(settings, clock, counters),
                memory);
        TraceIds traces = new TraceIds(random.nextLong());
        this.sessions = new SessionKeeper(courier, random::nextLong, traces::next, settings.get(NAME));
        ClientRandom numbers = new ClientRandom(random);
        this.creates = new CreateChoice(settings, clock, numbers::below);
        this.leases = ClientLeases.of(courier, traces, settings.get(NAME), settings, numbers);
        PathCalls calls = new PathCalls(courier, new RecordedCalls(courier, sessions), traces);
        this.attributes = new AttributeCalls(calls);
        this.names = new NameCalls(calls);
        this.lists = new ListCalls(calls, settings.get(ListCalls.PAGE).intValue());
        this.reads = new ReadCalls(calls, attributes, ReadOptions.of(settings));
        NearServer near = new NearServer(settings.get(NearServer.HOST));
        this.writes = new WriteCalls(calls, sessions, creates, leases, near, WriteOptions.of(settings), traces::next);
    }

    /** The operations that make directories, and delete and rename files and directories. */
    public NameCalls names() {
        return names;
    }

    /** The operations that read and change attributes and extended attributes. */
    public AttributeCalls attributes() {
        return attributes;
    }

    /** The operations that list directories and trees. */
    public ListCalls lists() {
        return lists;
    }

    /** The operations that open files for reading. */
    public ReadCalls reads() {
        return reads;
    }

    /** The operations that create files, open files for writing, and truncate files. */
    public WriteCalls writes() {
        return writes;
    }

    /**
     * Begins to connect to a metadata server, and returns at once. So the first operation waits less for a connection. If
     * this fails, nobody is told: the first operation connects again, and says why it cannot.
     */
    public void connect() {
        courier.cluster().connect();
    }

    /** As {@link SteadFs#clusterMap}. */
    public CompletableFuture<ClusterMap> clusterMap() {
        return Futures.map(courier.cluster().recent(), ClusterView::map);
    }

    /** As {@link SteadFs#knownClusterMap}. */
    public CompletableFuture<ClusterMap> knownClusterMap() {
        return Futures.map(courier.cluster().get(), ClusterView::map);
    }

    /** Counters of messages, retries and bytes of this client, by dotted name. */
    public SortedMap<String, Long> counters() {
        SortedMap<String, Long> all = counters.snapshot();
        creates.addTo(all);
        courier.memory().addTo(all);
        return all;
    }

    /**
     * Gives up open writers and ends the session. After the close, the client repeats no request, and operations fail
     * with CANCELLED. The future always completes normally.
     */
    public CompletableFuture<Void> close() {
        writes.leaveAll();
        return CompletableFuture.allOf(leases.close(), sessions.close()).whenComplete((done, failure) -> stop());
    }

    /** Stops repeating requests at once, even if the session has not ended yet. */
    void stop() {
        courier.pauses().close();
    }
}
