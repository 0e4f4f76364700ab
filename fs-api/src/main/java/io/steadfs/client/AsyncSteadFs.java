package io.steadfs.client;

import com.google.protobuf.ByteString;
import com.google.protobuf.MessageLite;
import io.steadfs.client.call.ClientCounters;
import io.steadfs.client.call.CountingTransport;
import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Futures;
import io.steadfs.client.call.KnownMap;
import io.steadfs.client.call.Operation;
import io.steadfs.client.call.Pauses;
import io.steadfs.client.call.Question;
import io.steadfs.client.call.RetryRule;
import io.steadfs.client.call.Session;
import io.steadfs.client.call.SessionKeeper;
import io.steadfs.client.call.StreamMemory;
import io.steadfs.client.create.AdaptiveCreate;
import io.steadfs.client.create.CreateChoice;
import io.steadfs.client.create.CreateMeter;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.create.CreateProtocol;
import io.steadfs.client.create.LeasedHandles;
import io.steadfs.client.create.PoolOptions;
import io.steadfs.client.list.Answers;
import io.steadfs.client.list.ContentSummary;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.list.ListPage;
import io.steadfs.client.list.Listing;
import io.steadfs.client.list.Page;
import io.steadfs.client.list.TreeSums;
import io.steadfs.client.read.OpenedFile;
import io.steadfs.client.read.ReadOptions;
import io.steadfs.client.read.StripedReader;
import io.steadfs.client.read.VisibleLength;
import io.steadfs.client.write.Opening;
import io.steadfs.client.write.RecordedCalls;
import io.steadfs.client.write.SealedColumns;
import io.steadfs.client.write.StripedWriter;
import io.steadfs.client.write.WriteOptions;
import io.steadfs.cluster.ClusterMapCache;
import io.steadfs.cluster.ClusterView;
import io.steadfs.config.ConfigKey;
import io.steadfs.config.Settings;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.handle.Handle;
import io.steadfs.layout.Layout;
import io.steadfs.path.FsPath;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Transport;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.*;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The file system as futures, for one caller. {@link SteadFs} waits for these futures. A future fails with {@link FsException}. Cancelling
 * a future takes back the request under way, where that is still possible. A create or an append goes on until its outcome is known, even
 * if the caller has left; the file is then given up ({@link Opening}). Thread-safe. It runs on the threads of the transport and the
 * scheduler and on the threads that call it, so it also runs in a simulation.
 *
 * <p>All messages of one operation share a trace id. All messages of one file, from its create to its close, share one too.
 */
public final class AsyncSteadFs {
    private static final Logger LOG = LoggerFactory.getLogger(AsyncSteadFs.class);
    static final ConfigKey<Long> LIST_PAGE = ConfigKey.number(
            "stead.client.list.page", 1_000, 1, 1_000_000, "entries", "Entries of a listing fetched at a time.");
    static final ConfigKey<String> NAME = ConfigKey.text(
            "stead.client.name", "", "What the servers show people as this client's name: host, process, purpose.");
    static final ConfigKey<String> HOST = ConfigKey.text(
            "stead.client.host",
            "",
            "Host name of this machine as the cluster map has it; new files then get their first column on the IO"
                    + " server of that host. Empty: any server.");
    static final List<ConfigKey<?>> KEYS = List.of(
            LIST_PAGE, NAME, HOST, CreateProtocol.KEY, CreateProtocol.EAGER, CreateChoice.HINTS, AdaptiveCreate.RATE);

    private final ClientCounters counters = new ClientCounters();
    private final Courier courier;
    private final SessionKeeper sessions;
    private final RecordedCalls recorded;
    private final WriteOptions writeOptions;
    private final ReadOptions readOptions;
    private final int listPage;
    private final String host;
    private final LeasedHandles leased;
    private final LeasedHandles handlesOnly;
    private final CreateChoice creates;
    private final long firstTrace;
    private final AtomicLong operations = new AtomicLong();
    private final Set<StripedWriter> openWriters = ConcurrentHashMap.newKeySet();

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
        this.sessions = new SessionKeeper(courier, random::nextLong, this::traceId, settings.get(NAME));
        this.recorded = new RecordedCalls(courier, sessions);
        this.writeOptions = WriteOptions.of(settings);
        this.readOptions = ReadOptions.of(settings);
        this.listPage = settings.get(LIST_PAGE).intValue();
        this.host = settings.get(HOST);
        this.creates = new CreateChoice(settings, courier.clock(), bound -> below(random, bound));
        this.firstTrace = random.nextLong();
        long holder = holder(random);
        this.leased = leased(holder, settings, true, random);
        this.handlesOnly = leased(holder, settings, false, random);
    }

    private LeasedHandles leased(long holder, Settings settings, boolean precreated, RandomGenerator random) {
        return new LeasedHandles(
                courier,
                operation("leases"),
                holder,
                settings.get(NAME),
                PoolOptions.of(settings),
                precreated,
                below(random, 1 << 16));
    }

    private static long holder(RandomGenerator random) {
        long holder = random.nextLong();
        return holder == 0 ? 1 : holder;
    }

    private static int below(RandomGenerator random, int bound) {
        synchronized (random) {
            return random.nextInt(bound);
        }
    }

    /** Ids of operations: a sequence from a random start, spread over all 64 bits. */
    private long traceId() {
        return firstTrace + operations.incrementAndGet() * 0x9e3779b97f4a7c15L;
    }

    private Operation operation(Object subject) {
        return new Operation(traceId(), subject.toString());
    }

    /** As {@link SteadFs#stat}. */
    public CompletableFuture<FileInfo> stat(FsPath path) {
        return stat(operation(path), path, "stat", false, 0);
    }

    /** As {@link SteadFs#access}. */
    public CompletableFuture<FileInfo> access(FsPath path, int bits) {
        return stat(operation(path), path, "access", false, bits);
    }

    private CompletableFuture<FileInfo> stat(
            Operation operation, FsPath path, String step, boolean toRead, int access) {
        return ask(
                        operation,
                        Kind.STAT,
                        step,
                        path,
                        StatReply.class,
                        location -> StatRequest.newBuilder()
                                .setLocation(location)
                                .setWantLayout(true)
                                .setToRead(toRead)
                                .setAccess(access)
                                .build())
                .thenApply(reply -> Answers.info(reply.getAttributes()));
    }

    /** As {@link SteadFs#create}. */
    public CompletableFuture<StripedWriter> create(FsPath path, CreateOptions options) {
        Operation operation = operation(path);
        Opening opening = new Opening();
        // The session is asked for repeatedly until there is one. After that there is a cluster map too.
        return opening.of(Futures.then(
                sessions.current(),
                session -> Futures.then(
                        courier.cluster().get(), cluster -> create(operation, path, options, cluster, opening))));
    }

    private CompletableFuture<StripedWriter> create(
            Operation operation, FsPath path, CreateOptions options, ClusterView cluster, Opening opening) {
        CreateMeter meter = new CreateMeter(courier.transport());
        Courier metered = courier.over(meter);
        CreateProtocol.FileSpec wish = new CreateProtocol.FileSpec(
                operation,
                path,
                options,
                nearServer(cluster),
                cluster,
                metered,
                recorded.by(metered).opening(opening),
                leased,
                handlesOnly);
        CreateChoice.Chosen chosen = creates.choose(path);
        return Futures.map(chosen.protocol().create(wish), made -> {
            chosen.counters().add(meter);
            creates.learn(path, made.hint());
            return writer(operation, made.session(), made.info());
        });
    }

    private StripedWriter writer(Operation operation, Session session, FileInfo info) throws FsException {
        StripedWriter writer =
                new StripedWriter(courier, recorded, session, operation, info, writeOptions, openWriters::remove);
        openWriters.add(writer);
        return writer;
    }

    /** As {@link SteadFs#append}. */
    public CompletableFuture<StripedWriter> append(FsPath path) {
        Operation operation = operation(path);
        Question question = Question.walk(
                Kind.APPEND,
                "append",
                path.relative(),
                location -> AppendRequest.newBuilder()
                        .setLocation(location)
                        .setPath(path.toString())
                        .build());
        Opening opening = new Opening();
        return opening.of(Futures.then(recorded.opening(opening).ask(operation, question), answer -> {
            FileInfo info = Answers.info(answer.reply().body(AppendReply.class).getAttributes());
            answer.reply().payload().release();
            return append(operation, answer.session(), info);
        }));
    }

    private CompletableFuture<StripedWriter> append(Operation operation, Session session, FileInfo info)
            throws FsException {
        CompletableFuture<Void> sealed = info.layout()
                .map(layout -> new SealedColumns(courier, operation, info, layout).prepare())
                .orElseGet(() -> CompletableFuture.completedFuture(null));
        CompletableFuture<StripedWriter> opened = Futures.map(sealed, ready -> writer(operation, session, info));
        CompletableFuture<StripedWriter> result = new CompletableFuture<>();
        var unused = opened.whenComplete((writer, failure) -> {
            if (failure == null) {
                result.complete(writer);
            } else {
                StripedWriter.abandonAndTell(
                        recorded, session, operation, info, Futures.unwrap(failure), result::completeExceptionally);
            }
        });
        return result;
    }

    /** As {@link SteadFs#truncate}. */
    public CompletableFuture<FileInfo> truncate(FsPath path, long length) {
        return change(
                        Kind.TRUNCATE_FILE,
                        "truncate",
                        path,
                        TruncateFileReply.class,
                        location -> TruncateFileRequest.newBuilder()
                                .setLocation(location)
                                .setLength(length)
                                .build())
                .then(reply -> settled(path, reply.getAttributes()));
    }

    /** Waits until the IO servers were told of a truncate, or the path names another file. */
    private CompletableFuture<FileInfo> settled(FsPath path, Attributes truncated) {
        CompletableFuture<FileInfo> result = new CompletableFuture<>();
        Operation operation = operation(path);
        askUntilSettled(operation, path, truncated, courier.clock().monotonicNanos(), 1, result);
        return result;
    }

    private void askUntilSettled(
            Operation operation,
            FsPath path,
            Attributes truncated,
            long sinceNanos,
            int asked,
            CompletableFuture<FileInfo> result) {
        if (!truncated.getRecovering()) {
            complete(result, truncated);
            return;
        }
        long pauseMillis = courier.rule().pauseMillis(asked);
        if (courier.isOver(sinceNanos, pauseMillis)) {
            result.completeExceptionally(new FsException(
                    FsError.TIMED_OUT,
                    path + " was truncated to " + truncated.getLength()
                            + " bytes, but not all IO servers know it yet; until then nobody can write it"));
            return;
        }
        Runnable ask = () -> {
            if (courier.pauses().areOver()) {
                askUntilSettled(operation, path, truncated, sinceNanos, asked, result);
                return;
            }
            var unused = ask(
                            operation,
                            Kind.STAT,
                            "truncated?",
                            path,
                            StatReply.class,
                            location -> StatRequest.newBuilder()
                                    .setLocation(location)
                                    .build())
                    .thenApply(StatReply::getAttributes)
                    .whenComplete((attributes, failure) -> {
                        boolean same = attributes != null
                                && attributes.getHandle() == truncated.getHandle()
                                && attributes.getWriteGeneration() == truncated.getWriteGeneration();
                        if (same) {
                            askUntilSettled(operation, path, attributes, sinceNanos, asked + 1, result);
                        } else if (attributes == null && courier.pauses().areOver()) {
                            askUntilSettled(operation, path, truncated, sinceNanos, asked + 1, result);
                        } else if (attributes != null || isGone(failure)) {
                            // The file was renamed, removed or written again. It can be written again only after the
                            // truncate is over.
                            complete(result, truncated);
                        } else {
                            result.completeExceptionally(Futures.unwrap(failure));
                        }
                    });
        };
        courier.pauses().then(pauseMillis, ask);
    }

    private static void complete(CompletableFuture<FileInfo> result, Attributes attributes) {
        try {
            result.complete(Answers.info(attributes));
        } catch (FsException e) {
            result.completeExceptionally(e);
        }
    }

    private static boolean isGone(Throwable failure) {
        return Futures.unwrap(failure) instanceof FsException refused
                && (refused.error() == FsError.NOT_FOUND || refused.error() == FsError.NOT_A_DIRECTORY);
    }

    /** As {@link SteadFs#recoverLease}. */
    public CompletableFuture<Boolean> recoverLease(FsPath path) {
        return change(
                        Kind.RECOVER_LEASE,
                        "recover lease",
                        path,
                        RecoverLeaseReply.class,
                        location -> RecoverLeaseRequest.newBuilder()
                                .setLocation(location)
                                .build())
                .thenApply(RecoverLeaseReply::getClosed);
    }

    /** As {@link SteadFs#isFileClosed}. */
    public CompletableFuture<Boolean> isFileClosed(FsPath path) {
        return Futures.map(stat(path), info -> {
            if (info.directory()) {
                throw new FsException(FsError.IS_A_DIRECTORY, path + " is a directory");
            }
            return !info.open();
        });
    }

    /** Id + 1 of the one alive IO server on this host. 0 where there is none, or where there are several, so that files are spread over them. */
    private int nearServer(ClusterView cluster) {
        if (host.isEmpty()) {
            return 0;
        }
        int near = 0;
        for (ClusterMap.Server server : cluster.map().getServersList()) {
            if (server.getRole() == ClusterMap.Role.IO
                    && server.getAlive()
                    && server.getHost().equals(host)) {
                if (near != 0) {
                    return 0;
                }
                near = server.getId() + 1;
            }
        }
        return near;
    }

    /** As {@link SteadFs#open(FsPath)}. */
    public CompletableFuture<StripedReader> open(FsPath path) {
        return fetching(openUnread(path));
    }

    /** As {@link SteadFs#openToldLength}. */
    public CompletableFuture<StripedReader> openToldLength(FsPath path, long told) {
        return fetching(openUnread(path, Math.max(0, told)));
    }

    /** As {@link SteadFs#openUnread}. */
    public CompletableFuture<StripedReader> openUnread(FsPath path) {
        return openUnread(path, Long.MAX_VALUE);
    }

    private CompletableFuture<StripedReader> openUnread(FsPath path, long mostIfWritten) {
        Operation operation = operation(path);
        return Futures.then(stat(operation, path, "open", true, 0), info -> open(operation, path, info, mostIfWritten));
    }

    /** Gives back what the reader fetches already, if nobody waits for the reader any more. */
    private static CompletableFuture<StripedReader> fetching(CompletableFuture<StripedReader> opening) {
        CompletableFuture<StripedReader> result = new CompletableFuture<>();
        var unused = opening.whenComplete((reader, failure) -> {
            if (failure != null) {
                result.completeExceptionally(Futures.unwrap(failure));
                return;
            }
            try {
                reader.fetchIfSmall();
            } catch (RuntimeException | Error e) {
                // This fetch only saves time: the read asks again, and fails if it must.
                LOG.warn(
                        "{} could not be fetched when it was opened",
                        reader.info().handle(),
                        e);
            }
            if (!result.complete(reader)) {
                reader.unbuffer();
            }
        });
        var unusedCancel = result.whenComplete((reader, failure) -> {
            if (result.isCancelled()) {
                opening.cancel(true);
            }
        });
        return result;
    }

    /** As {@link SteadFs#open(FsPath, FileInfo)}. */
    public CompletableFuture<StripedReader> open(FsPath path, FileInfo known) {
        return !known.directory() && known.layout().isEmpty()
                ? open(path)
                : open(operation(path), path, known, Long.MAX_VALUE);
    }

    private CompletableFuture<StripedReader> open(Operation operation, FsPath path, FileInfo info, long mostIfWritten) {
        if (info.directory()) {
            return CompletableFuture.failedFuture(new FsException(FsError.IS_A_DIRECTORY, path + " is a directory"));
        }
        if (info.layout().isEmpty()) {
            return CompletableFuture.failedFuture(
                    new FsException(FsError.FAULT, path + " was answered without a layout"));
        }
        Layout layout = info.layout().get();
        if (layout.replicas() != 1) {
            return CompletableFuture.failedFuture(new FsException(
                    FsError.NOT_SUPPORTED, path + " has " + layout.replicas() + " copies; this client reads one"));
        }
        CompletableFuture<Long> length = info.open()
                ? new OpenedFile(courier, operation, info)
                        .telling(Futures.map(
                                new VisibleLength(courier, operation).of(info, layout),
                                visible -> Math.min(visible, mostIfWritten)))
                : CompletableFuture.completedFuture(info.length());
        return Futures.map(
                length, visible -> new StripedReader(courier, operation, info, layout, visible, readOptions));
    }

    /** As {@link SteadFs#mkdirs}. Parents that are made get the mode too, and their owner may always enter them. */
    public CompletableFuture<FileInfo> mkdirs(FsPath path, int mode, boolean createParents, boolean exclusive) {
        return change(
                        Kind.MKDIRS,
                        "mkdirs",
                        path,
                        MkdirsReply.class,
                        location -> MkdirsRequest.newBuilder()
                                .setLocation(location)
                                .setMode(mode)
                                .setCreateParents(createParents)
                                .setExclusive(exclusive)
                                .setParentMode(mode | 0300)
                                .build())
                .thenApply(reply -> Answers.info(reply.getAttributes()));
    }

    /** As {@link SteadFs#list}. No request is sent before the first page is asked for. */
    Listing list(FsPath path) {
        Operation operation = operation(path);
        return new Listing((start, cursor) -> list(operation, path, cursor));
    }

    /** As {@link SteadFs#list(FsPath, ByteString, int)}. */
    public CompletableFuture<ListPage> list(FsPath path, ByteString cursor, int limit) {
        return list(operation(path), path, cursor, limit)
                .thenApply(page -> new ListPage(page.entries(), page.cursor()));
    }

    private CompletableFuture<Page> list(Operation operation, FsPath path, ByteString cursor) {
        return list(operation, path, cursor, listPage);
    }

    private CompletableFuture<Page> list(Operation operation, FsPath path, ByteString cursor, int limit) {
        return ask(
                        operation,
                        Kind.LIST,
                        "list",
                        path,
                        ListReply.class,
                        location -> ListRequest.newBuilder()
                                .setLocation(location)
                                .setCursor(cursor)
                                .setLimit(limit)
                                .setWantLayout(true)
                                .setPacked(true)
                                .build())
                .thenApply(reply -> new Page(Answers.entries(reply), List.of(), reply.getCursor()));
    }

    /** As {@link SteadFs#listTree}. No request is sent before the first page is asked for. */
    public Listing listTree(FsPath path, boolean wantDirectories) {
        return listTree(path, wantDirectories, false);
    }

    private Listing listTree(FsPath path, boolean wantDirectories, boolean whole) {
        Operation operation = operation(path);
        return new Listing((start, cursor) -> listTree(operation, path, start, wantDirectories, whole, cursor));
    }

    private CompletableFuture<Page> listTree(
            Operation operation,
            FsPath path,
            Optional<Handle> start,
            boolean wantDirectories,
            boolean whole,
            ByteString cursor) {
        String step = "list tree";
        Function<Location, MessageLite> body = location -> ListTreeRequest.newBuilder()
                .setLocation(location)
                .setCursor(cursor)
                .setLimit(listPage)
                .setWantLayout(true)
                .setWantDirectories(wantDirectories)
                .build();
        Question question = start.isPresent()
                ? Question.walkFrom(Kind.LIST_TREE, step, start.get(), body)
                : Question.walk(Kind.LIST_TREE, step, path.relative(), body);
        return new Chain<>(courier.ask(operation, question), ListTreeReply.class)
                .thenApply(reply -> Answers.treePage(reply, wantDirectories, whole));
    }

    /** As {@link SteadFs#delete}. */
    public CompletableFuture<Void> delete(FsPath path, boolean recursive) {
        return change(
                        Kind.DELETE,
                        "delete",
                        path,
                        DeleteReply.class,
                        location -> DeleteRequest.newBuilder()
                                .setLocation(location)
                                .setRecursive(recursive)
                                .build())
                .done();
    }

    /** As {@link SteadFs#rename}. */
    public CompletableFuture<Boolean> rename(FsPath source, FsPath target, RenameMode mode) {
        RenameRequest.Mode wireMode = switch (mode) {
            case NO_REPLACE -> RenameRequest.Mode.NO_REPLACE;
            case OVERWRITE -> RenameRequest.Mode.OVERWRITE;
            case INTO_DIRECTORY -> RenameRequest.Mode.INTO_DIRECTORY;
        };
        Question question = Question.twoWalks(
                Kind.RENAME,
                "rename",
                source.relative(),
                target.relative(),
                (from, to) -> RenameRequest.newBuilder()
                        .setSource(from)
                        .setTarget(to)
                        .setMode(wireMode)
                        .build());
        Operation operation = operation(source + " -> " + target);
        return Futures.map(
                recorded.ask(operation, question),
                answer -> answer.reply().body(RenameReply.class).getMoved());
    }

    /** As {@link SteadFs#setAttributes}. */
    public CompletableFuture<FileInfo> setAttributes(FsPath path, AttributeChange change) {
        return change(Kind.SET_ATTRIBUTES, "set attributes", path, SetAttributesReply.class, location -> {
                    SetAttributesRequest.Builder request =
                            SetAttributesRequest.newBuilder().setLocation(location);
                    change.mode().ifPresent(request::setMode);
                    change.owner().ifPresent(request::setOwner);
                    change.group().ifPresent(request::setGroup);
                    change.modificationTime().ifPresent(request::setModificationTime);
                    change.accessTime().ifPresent(request::setAccessTime);
                    change.replication().ifPresent(request::setReplication);
                    return request.build();
                })
                .thenApply(reply -> Answers.info(reply.getAttributes()));
    }

    /** As {@link SteadFs#setXattr}. */
    public CompletableFuture<Void> setXattr(FsPath path, String name, byte[] value, boolean create, boolean replace) {
        ByteString bytes = ByteString.copyFrom(value);
        return change(
                        Kind.SET_XATTR,
                        "set xattr",
                        path,
                        SetXattrReply.class,
                        location -> SetXattrRequest.newBuilder()
                                .setLocation(location)
                                .setName(name)
                                .setValue(bytes)
                                .setCreate(create)
                                .setReplace(replace)
                                .build())
                .done();
    }

    /** As {@link SteadFs#getXattrs}. */
    public CompletableFuture<Map<String, byte[]>> getXattrs(FsPath path, List<String> names) {
        return ask(
                        operation(path),
                        Kind.GET_XATTRS,
                        "get xattrs",
                        path,
                        GetXattrsReply.class,
                        location -> GetXattrsRequest.newBuilder()
                                .setLocation(location)
                                .addAllNames(names)
                                .build())
                .thenApply(reply -> {
                    Map<String, byte[]> values = new HashMap<>();
                    reply.getXattrsMap().forEach((name, value) -> values.put(name, value.toByteArray()));
                    return values;
                });
    }

    /** As {@link SteadFs#removeXattr}. */
    public CompletableFuture<Void> removeXattr(FsPath path, String name) {
        return change(
                        Kind.REMOVE_XATTR,
                        "remove xattr",
                        path,
                        RemoveXattrReply.class,
                        location -> RemoveXattrRequest.newBuilder()
                                .setLocation(location)
                                .setName(name)
                                .build())
                .done();
    }

    /** As {@link SteadFs#contentSummary}. */
    public CompletableFuture<ContentSummary> contentSummary(FsPath path) {
        return Futures.then(
                KnownMap.of(courier),
                cluster ->
                        cluster.shardCount() > 1 ? TreeSums.of(listTree(path, true, true)) : summaryOfOneShard(path));
    }

    private CompletableFuture<ContentSummary> summaryOfOneShard(FsPath path) {
        return ask(
                        operation(path),
                        Kind.CONTENT_SUMMARY,
                        "content summary",
                        path,
                        ContentSummaryReply.class,
                        location -> ContentSummaryRequest.newBuilder()
                                .setLocation(location)
                                .build())
                .thenApply(reply -> new ContentSummary(
                        reply.getLength(), reply.getFiles(), reply.getDirectories(), reply.getSpace()));
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
        openWriters.forEach(StripedWriter::leave);
        openWriters.clear();
        return CompletableFuture.allOf(leased.close(), handlesOnly.close(), sessions.close())
                .whenComplete((done, failure) -> stop());
    }

    /** Ends all repeated tries, even where nobody waits for the end of the session. */
    void stop() {
        courier.pauses().close();
    }

    private <T extends MessageLite> Chain<T> ask(
            Operation operation,
            Kind kind,
            String step,
            FsPath path,
            Class<T> reply,
            Function<Location, MessageLite> body) {
        return new Chain<>(courier.ask(operation, Question.walk(kind, step, path.relative(), body)), reply);
    }

    private <T extends MessageLite> Chain<T> change(
            Kind kind, String step, FsPath path, Class<T> reply, Function<Location, MessageLite> body) {
        Question question = Question.walk(kind, step, path.relative(), body);
        return new Chain<>(Futures.map(recorded.ask(operation(path), question), RecordedCalls.Recorded::reply), reply);
    }

    /** A reply to come, and its body's type. */
    private record Chain<T extends MessageLite>(CompletableFuture<Reply> reply, Class<T> type) {
        CompletableFuture<Void> done() {
            return Futures.done(reply, answer -> answer.payload().release());
        }

        <R> CompletableFuture<R> then(Futures.Step<T, CompletableFuture<R>> step) {
            return Futures.then(thenApply(body -> body), step);
        }

        <R> CompletableFuture<R> thenApply(Futures.Step<T, R> step) {
            return Futures.map(reply, answer -> {
                T body = answer.body(type);
                answer.payload().release();
                return step.apply(body);
            });
        }
    }
}
