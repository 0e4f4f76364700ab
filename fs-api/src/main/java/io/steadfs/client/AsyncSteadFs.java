package io.steadfs.client;

import com.google.protobuf.ByteString;
import io.steadfs.client.call.ClientCounters;
import io.steadfs.client.call.CountingTransport;
import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Pauses;
import io.steadfs.client.call.RetryRule;
import io.steadfs.client.call.SessionKeeper;
import io.steadfs.client.call.StreamMemory;
import io.steadfs.client.create.AdaptiveCreate;
import io.steadfs.client.create.CreateChoice;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.create.CreateProtocol;
import io.steadfs.client.list.ContentSummary;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.list.ListPage;
import io.steadfs.client.list.Listing;
import io.steadfs.client.read.ReadOptions;
import io.steadfs.client.read.StripedReader;
import io.steadfs.client.write.Opening;
import io.steadfs.client.write.RecordedCalls;
import io.steadfs.client.write.StripedWriter;
import io.steadfs.client.write.WriteOptions;
import io.steadfs.cluster.ClusterMapCache;
import io.steadfs.cluster.ClusterView;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.random.RandomGenerator;

/**
 * The file system as futures, for one caller. {@link SteadFs} waits for these futures. A future fails with {@link FsException}. Cancelling
 * a future takes back the request under way, where that is still possible. A create or an append goes on until its outcome is known, even
 * if the caller has left; the file is then given up ({@link Opening}). Thread-safe. It runs on the threads of the transport and the
 * scheduler and on the threads that call it, so it also runs in a simulation.
 *
 * <p>All messages of one operation share a trace id. All messages of one file, from its create to its close, share one too.
 *
 * <p>This class puts the client together. The requests are in the classes that it passes each call on to.
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
    private final PathCalls calls;
    private final AttributeCalls attributes;
    private final NameCalls names;
    private final ListCalls lists;
    private final ReadCalls reads;
    private final WriteCalls writes;

    /**
     * @param servers metadata servers to ask for the cluster map, at least one
     * @param caller user and groups that every request names
     * @param random gives session ids, so it must be seeded differently in every client
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

    /** @param memory for the bytes of open files; other clients may share it */
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
        this.courier =
                new Courier(counted, clock, scheduler, new Pauses(scheduler), cluster, rule, caller, counters, memory);
        TraceIds traces = new TraceIds(random.nextLong());
        this.sessions = new SessionKeeper(courier, random::nextLong, traces::next, settings.get(NAME));
        ClientRandom numbers = new ClientRandom(random);
        this.creates = new CreateChoice(settings, clock, numbers::below);
        this.leases = ClientLeases.of(courier, traces, settings.get(NAME), settings, numbers);
        this.calls = new PathCalls(courier, new RecordedCalls(courier, sessions), traces);
        this.attributes = new AttributeCalls(calls);
        this.names = new NameCalls(calls);
        this.lists = new ListCalls(calls, settings.get(ListCalls.PAGE).intValue());
        this.reads = new ReadCalls(calls, attributes, ReadOptions.of(settings));
        NearServer near = new NearServer(settings.get(NearServer.HOST));
        this.writes = new WriteCalls(calls, sessions, creates, leases, near, WriteOptions.of(settings));
    }

    /** As {@link SteadFs#stat}. */
    public CompletableFuture<FileInfo> stat(FsPath path) {
        return attributes.stat(path);
    }

    /** As {@link SteadFs#access}. */
    public CompletableFuture<FileInfo> access(FsPath path, int bits) {
        return attributes.access(path, bits);
    }

    /** As {@link SteadFs#create}. */
    public CompletableFuture<StripedWriter> create(FsPath path, CreateOptions options) {
        return writes.create(path, options);
    }

    /** As {@link SteadFs#append}. */
    public CompletableFuture<StripedWriter> append(FsPath path) {
        return writes.append(path);
    }

    /** As {@link SteadFs#truncate}. */
    public CompletableFuture<FileInfo> truncate(FsPath path, long length) {
        return new TruncateCall(calls, path).to(length);
    }

    /** As {@link SteadFs#recoverLease}. */
    public CompletableFuture<Boolean> recoverLease(FsPath path) {
        return writes.recoverLease(path);
    }

    /** As {@link SteadFs#isFileClosed}. */
    public CompletableFuture<Boolean> isFileClosed(FsPath path) {
        return attributes.isFileClosed(path);
    }

    /** As {@link SteadFs#open(FsPath)}. */
    public CompletableFuture<StripedReader> open(FsPath path) {
        return reads.open(path);
    }

    /** As {@link SteadFs#openToldLength}. */
    public CompletableFuture<StripedReader> openToldLength(FsPath path, long told) {
        return reads.openToldLength(path, told);
    }

    /** As {@link SteadFs#openUnread}. */
    public CompletableFuture<StripedReader> openUnread(FsPath path) {
        return reads.openUnread(path);
    }

    /** As {@link SteadFs#open(FsPath, FileInfo)}. */
    public CompletableFuture<StripedReader> open(FsPath path, FileInfo known) {
        return reads.open(path, known);
    }

    /** As {@link SteadFs#mkdirs}. Parents that are made get the mode too, and their owner may always enter them. */
    public CompletableFuture<FileInfo> mkdirs(FsPath path, int mode, boolean createParents, boolean exclusive) {
        return names.mkdirs(path, mode, createParents, exclusive);
    }

    /** As {@link SteadFs#list}. No request is sent before the first page is asked for. */
    Listing list(FsPath path) {
        return lists.list(path);
    }

    /** As {@link SteadFs#list(FsPath, ByteString, int)}. */
    public CompletableFuture<ListPage> list(FsPath path, ByteString cursor, int limit) {
        return lists.list(path, cursor, limit);
    }

    /** As {@link SteadFs#listTree}. No request is sent before the first page is asked for. */
    public Listing listTree(FsPath path, boolean wantDirectories) {
        return lists.listTree(path, wantDirectories);
    }

    /** As {@link SteadFs#delete}. */
    public CompletableFuture<Void> delete(FsPath path, boolean recursive) {
        return names.delete(path, recursive);
    }

    /** As {@link SteadFs#rename}. */
    public CompletableFuture<Boolean> rename(FsPath source, FsPath target, RenameMode mode) {
        return names.rename(source, target, mode);
    }

    /** As {@link SteadFs#setAttributes}. */
    public CompletableFuture<FileInfo> setAttributes(FsPath path, AttributeChange change) {
        return attributes.setAttributes(path, change);
    }

    /** As {@link SteadFs#setXattr}. */
    public CompletableFuture<Void> setXattr(FsPath path, String name, byte[] value, boolean create, boolean replace) {
        return attributes.setXattr(path, name, value, create, replace);
    }

    /** As {@link SteadFs#getXattrs}. */
    public CompletableFuture<Map<String, byte[]>> getXattrs(FsPath path, List<String> names) {
        return attributes.getXattrs(path, names);
    }

    /** As {@link SteadFs#removeXattr}. */
    public CompletableFuture<Void> removeXattr(FsPath path, String name) {
        return attributes.removeXattr(path, name);
    }

    /** As {@link SteadFs#contentSummary}. */
    public CompletableFuture<ContentSummary> contentSummary(FsPath path) {
        return lists.contentSummary(path);
    }

    /** As {@link SteadFs#clusterMap}. */
    public CompletableFuture<ClusterMap> clusterMap() {
        return Futures.map(courier.cluster().recent(), ClusterView::map);
    }

    /** As {@link SteadFs#knownClusterMap}. */
    public CompletableFuture<ClusterMap> knownClusterMap() {
        return Futures.map(courier.cluster().get(), ClusterView::map);
    }

    /** Messages, retries and bytes of this client, by dotted name. */
    public SortedMap<String, Long> counters() {
        SortedMap<String, Long> all = counters.snapshot();
        creates.addTo(all);
        courier.memory().addTo(all);
        return all;
    }

    /**
     * Gives up open writers and ends the session. After that nothing is tried again, and operations fail with CANCELLED. Completes normally
     * in any case.
     */
    public CompletableFuture<Void> close() {
        writes.leaveAll();
        return CompletableFuture.allOf(leases.close(), sessions.close()).whenComplete((done, failure) -> stop());
    }

    /** Ends all repeated tries, even where nobody waits for the end of the session. */
    void stop() {
        courier.pauses().close();
    }
}
