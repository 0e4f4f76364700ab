package io.steadfs.client;

import io.steadfs.client.call.Courier;
import io.steadfs.client.call.Futures;
import io.steadfs.client.call.Operation;
import io.steadfs.client.call.Question;
import io.steadfs.client.call.Session;
import io.steadfs.client.call.SessionKeeper;
import io.steadfs.client.create.CreateChoice;
import io.steadfs.client.create.CreateMeter;
import io.steadfs.client.create.CreateOptions;
import io.steadfs.client.create.CreateProtocol;
import io.steadfs.client.list.Answers;
import io.steadfs.client.list.FileInfo;
import io.steadfs.client.write.Claims;
import io.steadfs.client.write.Opening;
import io.steadfs.client.write.SealedColumns;
import io.steadfs.client.write.StripedWriter;
import io.steadfs.client.write.WriteOptions;
import io.steadfs.cluster.ClusterView;
import io.steadfs.error.FsException;
import io.steadfs.path.FsPath;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AppendReply;
import io.steadfs.wire.proto.AppendRequest;
import io.steadfs.wire.proto.RecoverLeaseReply;
import io.steadfs.wire.proto.RecoverLeaseRequest;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * Creates and truncates files, opens files for writing, and takes files away from their writers. Remembers the open
 * writers until the client closes. Thread-safe.
 */
public final class WriteCalls {
    private final PathCalls calls;
    private final SessionKeeper sessions;
    private final CreateChoice creates;
    private final ClientLeases leases;
    private final NearServer near;
    private final WriteOptions options;
    private final Set<StripedWriter> openWriters = ConcurrentHashMap.newKeySet();

    WriteCalls(
            PathCalls calls,
            SessionKeeper sessions,
            CreateChoice creates,
            ClientLeases leases,
            NearServer near,
            WriteOptions options,
            LongSupplier traceIds) {
        this.calls = calls;
        this.sessions = sessions;
        this.creates = creates;
        this.leases = leases;
        this.near = near;
        this.options = options;
        Claims claims = new Claims(calls.courier(), traceIds);
        sessions.besideRenewals(session -> claims.send(session, openWriters));
    }

    /** As {@link SteadFs#create}. */
    public CompletableFuture<StripedWriter> create(FsPath path, CreateOptions wanted) {
        Operation operation = calls.operation(path);
        Opening opening = new Opening();
        // The client repeats the request for a session until a session exists. A client with a session also has a
        // cluster map.
        return opening.of(Futures.then(
                sessions.current(),
                session -> Futures.then(
                        calls.courier().cluster().get(),
                        cluster -> create(operation, path, wanted, cluster, opening))));
    }

    private CompletableFuture<StripedWriter> create(
            Operation operation, FsPath path, CreateOptions wanted, ClusterView cluster, Opening opening) {
        CreateMeter meter = new CreateMeter(calls.courier().transport());
        Courier metered = calls.courier().over(meter);
        CreateProtocol.FileSpec spec = new CreateProtocol.FileSpec(
                operation,
                path,
                wanted,
                near.in(cluster),
                cluster,
                metered,
                calls.recorded().by(metered).opening(opening),
                leases.precreated(),
                leases.handlesOnly());
        CreateChoice.Chosen chosen = creates.choose(path);
        return Futures.map(chosen.protocol().create(spec), made -> {
            chosen.counters().add(meter);
            creates.learn(path, made.hint());
            return writer(operation, made.session(), made.info());
        });
    }

    private StripedWriter writer(Operation operation, Session session, FileInfo info) throws FsException {
        StripedWriter writer = new StripedWriter(
                calls.courier(), calls.recorded(), session, operation, info, options, openWriters::remove);
        openWriters.add(writer);
        return writer;
    }

    /** As {@link SteadFs#append}. */
    public CompletableFuture<StripedWriter> append(FsPath path) {
        Operation operation = calls.operation(path);
        Question question = Question.walk(
                Kind.APPEND,
                "append",
                path.relative(),
                location -> AppendRequest.newBuilder()
                        .setLocation(location)
                        .setPath(path.toString())
                        .build());
        Opening opening = new Opening();
        return opening.of(Futures.then(calls.recorded().opening(opening).ask(operation, question), answer -> {
            FileInfo info = Answers.info(answer.reply().body(AppendReply.class).getAttributes());
            answer.reply().payload().release();
            return append(operation, answer.session(), info);
        }));
    }

    private CompletableFuture<StripedWriter> append(Operation operation, Session session, FileInfo info)
            throws FsException {
        CompletableFuture<Void> sealed = info.layout()
                .map(layout -> new SealedColumns(calls.courier(), operation, info, layout).prepare())
                .orElseGet(() -> CompletableFuture.completedFuture(null));
        CompletableFuture<StripedWriter> opened = Futures.map(sealed, ready -> writer(operation, session, info));
        CompletableFuture<StripedWriter> result = new CompletableFuture<>();
        Futures.whenDone(opened, (writer, failure) -> {
            if (failure == null) {
                result.complete(writer);
            } else {
                StripedWriter.abandonAndTell(
                        calls.recorded(),
                        session,
                        operation,
                        info,
                        Futures.unwrap(failure),
                        result::completeExceptionally);
            }
        });
        return result;
    }

    /** As {@link SteadFs#truncate}. */
    public CompletableFuture<FileInfo> truncate(FsPath path, long length) {
        return new TruncateCall(calls, path).to(length);
    }

    /** As {@link SteadFs#recoverLease}. */
    public CompletableFuture<Boolean> recoverLease(FsPath path) {
        return calls.change(
                        Kind.RECOVER_LEASE,
                        "recover lease",
                        path,
                        RecoverLeaseReply.class,
                        location -> RecoverLeaseRequest.newBuilder()
                                .setLocation(location)
                                .build())
                .thenApply(RecoverLeaseReply::getClosed);
    }

    /** Gives up all open writers. */
    void leaveAll() {
        openWriters.forEach(StripedWriter::leave);
        openWriters.clear();
    }
}
