package io.steadfs.client;

import com.google.protobuf.ByteString;
import io.steadfs.client.call.Awaited;
import io.steadfs.client.call.SharedConnections;
import io.steadfs.client.call.SharedThreads;
import io.steadfs.client.call.StreamMemory;
import io.steadfs.client.call.TellingTransport;
import io.steadfs.client.call.Traces;
import io.steadfs.client.call.Waiting;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.list.ByName;
import io.steadfs.client.list.ContentSummary;
import io.steadfs.client.list.Entry;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.list.ListPage;
import io.steadfs.client.list.Pages;
import io.steadfs.client.list.PartitionInfo;
import io.steadfs.client.read.BlockingReader;
import io.steadfs.client.read.FileReader;
import io.steadfs.client.read.StripedReader;
import io.steadfs.client.write.BlockingWriter;
import io.steadfs.client.write.FileWriter;
import io.steadfs.config.Settings;
import io.steadfs.error.FsException;
import io.steadfs.error.Resolver;
import io.steadfs.path.FsPath;
import io.steadfs.recent.RecentMessages;
import io.steadfs.rpc.MessageCounters;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import io.steadfs.time.SystemClock;
import io.steadfs.wire.proto.Caller;
import io.steadfs.wire.proto.ClusterMap;
import java.security.SecureRandom;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Function;
import java.util.function.Supplier;

/**
 * Is the blocking client of one caller. Each method waits for a future of {@link AsyncSteadFs}. Connecting sends no
 * request. The first operation fetches the cluster map from any of the given metadata servers. The first change opens a
 * session.
 *
 * <p>If a waiting thread is interrupted, the client tries to cancel the request. The interrupt flag of the thread stays
 * set. The method throws {@link FsException} with {@code CANCELLED} and an {@link InterruptedException} as the cause.
 * After an interrupt, the outcome of the operation is unknown.
 */
public final class SteadClient implements SteadFs {
    private final AsyncSteadFs async;
    private final RecentMessages recent;
    private final Traces traces;
    private final Runnable closeTransport;
    private final AtomicBoolean closed = new AtomicBoolean();

    private SteadClient(AsyncSteadFs async, RecentMessages recent, Traces traces, Runnable closeTransport) {
        this.async = async;
        this.recent = recent;
        this.traces = traces;
        this.closeTransport = closeTransport;
    }

    /**
     * Makes a client over the given transport, clock and scheduler. Closing the client leaves the transport and the
     * scheduler open.
     *
     * @param servers metadata servers that the client may ask for the cluster map; at least one
     * @param caller user and groups that every request names
     * @throws io.steadfs.config.ConfigException if a key's value cannot be used; the message names the key
     */
    public static SteadClient connect(
            Transport transport,
            Clock clock,
            Scheduler scheduler,
            Settings settings,
            List<ServerAddress> servers,
            Caller caller) {
        AsyncSteadFs async =
                new AsyncSteadFs(transport, clock, scheduler, new SecureRandom(), settings, servers, caller);
        return new SteadClient(async, new RecentMessages(0), Traces.WANTED, () -> {});
    }

    /**
     * Makes a client over the network. All clients of a process with the same connection settings share one connection
     * to each server, even for different callers. All clients of a process share the threads.
     *
     * @param servers metadata servers that the client may ask for the cluster map; at least one
     * @param caller user and groups that every request names
     * @throws io.steadfs.config.ConfigException if a key's value cannot be used; the message names the key
     */
    public static SteadClient connect(Settings settings, List<ServerAddress> servers, Caller caller) {
        return connect(settings, servers, caller, Traces.WANTED);
    }

    /**
     * Makes a client like {@link #connect(Settings, List, Caller)}.
     *
     * @param traces whether this client's exceptions for refusals have stack traces; the exceptions of open readers and
     *     writers always have stack traces
     */
    public static SteadClient connect(Settings settings, List<ServerAddress> servers, Caller caller, Traces traces) {
        Clock clock = new SystemClock();
        MessageCounters messages = MessageCounters.keeping(settings);
        SharedConnections connections = SharedConnections.use(settings);
        SharedThreads threads = connections.threads();
        Transport transport = new TellingTransport(connections.share(messages), threads.away(), clock);
        Runnable close = () -> {
            transport.close();
            connections.release();
        };
        try {
            AsyncSteadFs async = new AsyncSteadFs(
                    transport,
                    clock,
                    threads.scheduler(),
                    new SecureRandom(),
                    settings,
                    servers,
                    caller,
                    StreamMemory.ofProcess(settings));
            return new SteadClient(async, messages.recent(), traces, close);
        } catch (RuntimeException e) {
            close.run();
            throw e;
        }
    }

    private <T> T waitFor(Supplier<CompletableFuture<T>> send, Object subject, String step) throws FsException {
        return Waiting.on(send, new Awaited(subject, step), traces);
    }

    /** The asynchronous client, which shares everything with this client. */
    public AsyncSteadFs async() {
        return async;
    }

    /**
     * The last messages that this client sent. Empty if the client was made over a given transport. A given transport
     * may keep messages itself.
     */
    public RecentMessages recent() {
        return recent;
    }

    /** Counters of messages, retries and bytes since the client was made, by dotted name. */
    public SortedMap<String, Long> counters() {
        return async.counters();
    }

    @Override
    public FileInfo stat(FsPath path) throws FsException {
        return waitFor(() -> async.attributes().stat(path), path, "stat");
    }

    @Override
    public FileInfo statLink(FsPath path) throws FsException {
        return waitFor(() -> async.attributes().statLink(path), path, "stat link");
    }

    @Override
    public Optional<FileInfo> find(FsPath path) throws FsException {
        return waitFor(() -> async.attributes().find(path), path, "stat");
    }

    @Override
    public FileInfo access(FsPath path, int bits) throws FsException {
        return waitFor(() -> async.attributes().access(path, bits), path, "access");
    }

    @Override
    public FileWriter create(FsPath path, CreateOptions options) throws FsException {
        return new BlockingWriter(waitFor(() -> async.writes().create(path, options), path, "create"));
    }

    @Override
    public FileWriter append(FsPath path) throws FsException {
        return new BlockingWriter(waitFor(() -> async.writes().append(path), path, "append"));
    }

    @Override
    public FileInfo truncate(FsPath path, long length) throws FsException {
        return waitFor(() -> async.writes().truncate(path, length), path, "truncate");
    }

    @Override
    public boolean recoverLease(FsPath path) throws FsException {
        return waitFor(() -> async.writes().recoverLease(path), path, "recover lease");
    }

    @Override
    public boolean isFileClosed(FsPath path) throws FsException {
        return waitFor(() -> async.attributes().isFileClosed(path), path, "stat");
    }

    @Override
    public FileReader open(FsPath path) throws FsException {
        return reader(path, () -> async.reads().open(path));
    }

    @Override
    public FileReader openToldLength(FsPath path, long told) throws FsException {
        return reader(path, () -> async.reads().openToldLength(path, told));
    }

    @Override
    public FileReader openUnread(FsPath path) throws FsException {
        return reader(path, () -> async.reads().openUnread(path));
    }

    @Override
    public FileReader open(FsPath path, FileInfo known) throws FsException {
        return reader(path, () -> async.reads().open(path, known));
    }

    private FileReader reader(FsPath path, Supplier<CompletableFuture<StripedReader>> opening) throws FsException {
        return new BlockingReader(waitFor(opening, path, "open"), path);
    }

    @Override
    public FileInfo mkdirs(FsPath path, int mode, boolean createParents, boolean exclusive) throws FsException {
        return waitFor(() -> async.names().mkdirs(path, mode, createParents, exclusive), path, "mkdirs");
    }

    @Override
    public FileInfo createSymlink(FsPath link, String target, boolean createParents, int parentMode)
            throws FsException {
        return waitFor(
                () -> async.names().createSymlink(link, target, createParents, parentMode), link, "create symlink");
    }

    @Override
    public Iterator<Entry> list(FsPath path) throws FsException {
        return new Pages(async.lists().list(path), new Awaited(path, "list"), traces);
    }

    @Override
    public ListPage list(FsPath path, ByteString cursor, int limit) throws FsException {
        return waitFor(() -> async.lists().list(path, cursor, limit), path, "list");
    }

    @Override
    public List<Entry> listSorted(FsPath path) throws FsException {
        return listSorted(path, entry -> entry);
    }

    @Override
    public <T> List<T> listSorted(FsPath path, Function<Entry, T> made) throws FsException {
        ByName<T> entries = new ByName<>();
        try {
            list(path).forEachRemaining(entry -> entries.add(entry.name(), made.apply(entry)));
        } catch (java.io.UncheckedIOException e) {
            if (e.getCause() instanceof FsException refused) {
                throw refused;
            }
            throw e;
        }
        return entries.sorted();
    }

    @Override
    public Iterator<Entry> listTree(FsPath path, boolean wantDirectories) throws FsException {
        return new Pages(async.lists().listTree(path, wantDirectories), new Awaited(path, "list tree"), traces);
    }

    @Override
    public void delete(FsPath path, boolean recursive) throws FsException {
        waitFor(() -> async.names().delete(path, recursive), path, "delete");
    }

    @Override
    public boolean rename(FsPath source, FsPath target, RenameMode mode) throws FsException {
        return waitFor(() -> async.names().rename(source, target, mode), new FromTo(source, target), "rename");
    }

    @Override
    public FileInfo setAttributes(FsPath path, AttributeChange change) throws FsException {
        return waitFor(() -> async.attributes().setAttributes(path, change), path, "set attributes");
    }

    @Override
    public void setXattr(FsPath path, String name, byte[] value, boolean create, boolean replace) throws FsException {
        waitFor(() -> async.attributes().setXattr(path, name, value, create, replace), path, "set xattr " + name);
    }

    @Override
    public Map<String, byte[]> getXattrs(FsPath path, List<String> names) throws FsException {
        return waitFor(() -> async.attributes().getXattrs(path, names), path, "get xattrs");
    }

    @Override
    public void removeXattr(FsPath path, String name) throws FsException {
        waitFor(() -> async.attributes().removeXattr(path, name), path, "remove xattr " + name);
    }

    @Override
    public ContentSummary contentSummary(FsPath path) throws FsException {
        return waitFor(() -> async.lists().contentSummary(path), path, "content summary");
    }

    @Override
    public List<PartitionInfo> partitions(FsPath path) throws FsException {
        return waitFor(() -> async.lists().partitions(path), path, "list partitions");
    }

    @Override
    public ClusterMap clusterMap() throws FsException {
        return Waiting.on(() -> async.clusterMap(), "cluster map", traces);
    }

    @Override
    public ClusterMap knownClusterMap() throws FsException {
        return Waiting.on(async.knownClusterMap(), "cluster map");
    }

    @Override
    public void close() {
        if (!closed.compareAndSet(false, true)) {
            return;
        }
        try {
            Waiting.on(async.close(), "close of the client");
        } catch (FsException e) {
            if (e.error().resolver() != Resolver.RETRY) {
                throw new IllegalStateException(e);
            }
            // The caller was interrupted. The session expires, because the client no longer renews the session.
        } finally {
            async.stop();
            closeTransport.run();
        }
    }
}
