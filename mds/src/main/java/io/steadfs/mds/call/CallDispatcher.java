package io.steadfs.mds.call;

import com.google.protobuf.MessageLite;
import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.mds.copy.ShardCopies;
import io.steadfs.mds.log.MetadataLog;
import io.steadfs.mds.pipeline.Checked;
import io.steadfs.mds.pipeline.InputSource;
import io.steadfs.mds.pipeline.Operation;
import io.steadfs.mds.pipeline.Precheck;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.mds.pipeline.PrincipalName;
import io.steadfs.mds.pipeline.Query;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.mds.session.Leg;
import io.steadfs.mds.session.RecordedReplies;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.store.ReadView;
import io.steadfs.time.Clock;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RequestHeader;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/**
 * Sends each request to the place that {@link Routes} gives: the shard's queue, or a query on a snapshot of the
 * committed state. The methods run on the transport's threads and keep nothing of a request.
 */
public final class CallDispatcher implements RequestHandler {

    private final Routes routes;
    private final Authenticator authenticator;
    private final Shard shard;
    private final SnapshotRead.Dependencies reads;
    private final PursuitGround pursuits;
    private final SessionTimes sessionTimes;
    private final Clock clock;
    private final ThreadsOfUsers longReads;
    private final SlowReads slowReads;
    private final LongSupplier epoch;

    /** @param longReads runs scans and prechecks; if it throws a RejectedExecutionException, the client gets BUSY */
    public CallDispatcher(
            Routes routes,
            Authenticator authenticator,
            MetadataLog log,
            InputSource inputs,
            ShardCopies copies,
            PursuitGround pursuits,
            SessionTimes sessionTimes,
            Clock clock,
            ThreadsOfUsers longReads,
            SlowReads slowReads,
            LongSupplier epoch) {
        this.routes = routes;
        this.authenticator = authenticator;
        this.shard = pursuits.shard();
        this.reads = new SnapshotRead.Dependencies(log, inputs, pursuits.asking(), copies);
        this.pursuits = pursuits;
        this.sessionTimes = sessionTimes;
        this.clock = clock;
        this.longReads = longReads;
        this.slowReads = slowReads;
        this.epoch = epoch;
    }

    @Override
    public void handle(Call call) {
        Answering answering = new Answering(call, epoch);
        Request request = call.request();
        request.payload().release();
        if (call.isCancelled()) {
            answering.refuse(FsError.CANCELLED, "cancelled before it began");
            return;
        }
        Optional<Routes.Route> route = routes.of(request.kind());
        if (route.isEmpty()) {
            answering.refuse(FsError.NOT_SUPPORTED, "a metadata server does not answer " + request.kind());
            return;
        }
        Principal principal;
        try {
            principal =
                    authenticator.authenticate(request.header(), call.peer()).on(call.peerIdentity());
        } catch (FsException e) {
            answering.refuse(e.error(), String.valueOf(e.getMessage()));
            return;
        }
        Optional<String> tooLong = PrincipalName.tooLong("user", principal.user());
        if (tooLong.isPresent()) {
            answering.refuse(FsError.NAME_TOO_LONG, tooLong.get());
            return;
        }
        sessionTimes.heard(principal.session(), principal.user(), clock.monotonicNanos());
        if (route.get() instanceof Routes.Route.Read read) {
            if (read.isLong()) {
                Executor threads = longReads.of(principal.user());
                later(answering, threads, () -> read(answering, principal, read.query(), threads, answering::reply));
            } else {
                read(
                        answering,
                        principal,
                        read.query(),
                        Runnable::run,
                        reply -> slowReads.then(() -> answering.reply(reply)));
            }
        } else if (route.get() instanceof Routes.Route.Write write) {
            write(answering, principal, write);
        }
    }

    private void read(
            Answering answering,
            Principal principal,
            Query<MessageLite> query,
            Executor executor,
            Consumer<Reply> then) {
        new SnapshotRead<Reply>(
                        answering,
                        principal,
                        (view, inputs) -> query.answer(answering.request().body(), principal, view, inputs),
                        reads,
                        executor,
                        then)
                .begin();
    }

    private void write(Answering answering, Principal principal, Routes.Route.Write write) {
        Request request = answering.request();
        RequestHeader header = request.header();
        if (request.kind().target() == Kind.Target.MDS_RECORDED) {
            if (header.getSession() == 0 || header.getRequestId() == 0) {
                answering.refuse(FsError.INVALID_ARGUMENT, request.kind() + " needs a session and a request id");
                return;
            }
            if (principal.user().isEmpty()) {
                answering.refuse(FsError.PERMISSION_DENIED, request.kind() + " needs a user");
                return;
            }
        }
        Optional<Precheck<MessageLite>> precheck =
                write.precheck().filter(check -> check.isNeeded(request.body(), principal));
        if (precheck.isEmpty()) {
            submit(answering, principal, write.operation(), Checked.allowed());
        } else {
            Executor threads = longReads.of(principal.user());
            later(answering, threads, () -> checkAndSubmit(answering, principal, write, precheck.get(), threads));
        }
    }

    /**
     * Checks a request and puts it into the queue. A request that was decided before is not checked again, because the
     * writer gives the recorded reply.
     */
    private void checkAndSubmit(
            Answering answering,
            Principal principal,
            Routes.Route.Write write,
            Precheck<MessageLite> precheck,
            Executor threads) {
        Request request = answering.request();
        new SnapshotRead<Checked<MessageLite>>(
                        answering,
                        principal,
                        (view, inputs) -> isDecided(request, view)
                                ? Checked.allowed()
                                : precheck.check(request.body(), principal, view, inputs),
                        reads,
                        threads,
                        checked -> submit(answering, principal, write.operation(), checked))
                .begin();
    }

    private static boolean isDecided(Request request, ReadView view) {
        RequestHeader header = request.header();
        return request.kind().target() == Kind.Target.MDS_RECORDED
                && RecordedReplies.find(
                                view,
                                header.getSession(),
                                Leg.of(header.getRequestId(), request.body()),
                                request.kind())
                        .isPresent();
    }

    private void submit(
            Answering answering, Principal principal, Operation<MessageLite> usual, Checked<MessageLite> checked) {
        Request request = answering.request();
        Operation<MessageLite> operation = checked.instead().orElse(usual);
        Optional<Reply> refusal = checked.refusal();
        if (request.kind().target() == Kind.Target.MDS_RECORDED) {
            Operation<MessageLite> recorded =
                    new RecordedOperation(request.kind(), request.header(), operation, refusal);
            RequestCommand command = new RequestCommand(answering, principal, recorded);
            new Pursuit<>(Pursued.ofRequest(answering, principal, command), pursuits).begin();
        } else if (refusal.isPresent()) {
            answering.reply(refusal.get());
        } else {
            shard.submit(new RequestCommand(answering, principal, operation));
        }
    }

    private static void later(Answering answering, Executor threads, Runnable work) {
        try {
            threads.execute(work);
        } catch (RejectedExecutionException e) {
            answering.refuse(FsError.BUSY, "too many long reads of your user wait already; try again");
        }
    }
}
