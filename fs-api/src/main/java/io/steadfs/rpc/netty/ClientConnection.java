package io.steadfs.rpc.netty;

import io.steadfs.error.FsError;
import io.steadfs.hello.Introduction;
import io.steadfs.hello.PeerName;
import io.steadfs.recent.MessageTimes;
import io.steadfs.rpc.EarlyCall;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.rpc.Waiter;
import io.steadfs.time.Clock;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends the calls of a process to one server. After a loss, the class connects again. Many clients share one object of
 * this class, and each client has its own {@link Room}. Any thread may take room and hand over calls. Everything else
 * belongs to one event loop, which is also the event loop of the channel. The parts of a connection belong to the same
 * event loop:
 *
 * <ul>
 * <li>{@link CallQueue}: the calls that wait to be sent, and the number and bytes of the calls that the server has.
 * <li>{@link Connector}: the attempts to connect. {@link ReconnectPause}: the pauses between failed attempts.
 * <li>{@link ClientLink}: one connection. {@link SentCalls}: the calls that were written on it.
 * <li>{@link Deadlines}: ends the calls whose time is over. {@link ClientIdleWatch}: ends a connection that has no
 * calls.
 * </ul>
 *
 * <p>Each call is answered exactly once. A call fails with CONNECTION_LOST or TIMED_OUT only if it was written. A call
 * fails with UNAVAILABLE only if the server said that it executed none of the unanswered calls. The server never gets
 * more calls than the number that it works on at a time. So the server always reads what is sent.
 *
 * <p>If the server ends an idle connection while a call is written, the call fails with UNAVAILABLE. A call that failed
 * with UNAVAILABLE can safely be sent again.
 */
final class ClientConnection {
    static final String TRANSPORT_CLOSED = "the transport is closed";

    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);
    /** Largest number of bytes that the encoder adds to a request's header. */
    private static final int ADDED_TO_HEADER = 32;

    private final ServerAddress server;
    private final String name;
    private final LentLoop loop;
    private final NettyOptions options;
    private final Clock clock;
    private final Introduction introduction;
    private final CallQueue queue;
    private final ReconnectPause pause;
    private final Connector connector;
    private final Deadlines deadlines;
    private final ClientIdleWatch idle;

    /** The connection in use. Null before the server answered HELLO, and after the connection was lost. */
    private @Nullable ClientLink link;

    private boolean closed;
    private long lastNumber;

    /** @param socketFiles where to look for the server's socket file; empty = TCP alone */
    ClientConnection(
            ServerAddress server,
            EventLoops loops,
            NettyOptions options,
            Optional<SocketFiles> socketFiles,
            Clock clock,
            Introduction introduction) {
        this.server = server;
        this.name = server.toString();
        this.loop = loops.next();
        this.queue = new CallQueue(loop.expected());
        this.options = options;
        this.clock = clock;
        this.introduction = introduction;
        this.pause = new ReconnectPause(server, options, clock);
        this.connector = new Connector(this, server, loops, loop, options, socketFiles);
        this.deadlines = new Deadlines(this, queue, connector, loop, clock);
        this.idle = new ClientIdleWatch(this, queue, loop, clock, options);
    }

    // ---- from any thread

    ServerAddress server() {
        return server;
    }

    LentLoop loop() {
        return loop;
    }

    NettyOptions options() {
        return options;
    }

    Clock clock() {
        return clock;
    }

    Introduction introduction() {
        return introduction;
    }

    /** @param meant the server to which the caller has addressed the request */
    CompletableFuture<Reply> send(Request request, PeerName meant, long timeoutMillis, TransportShare share) {
        long payloadBytes = request.payload().length();
        int bodyBytes;
        Optional<String> problem;
        try {
            bodyBytes = request.body().getSerializedSize();
            problem = options.frameLimits()
                    .problem(request.header().getSerializedSize() + ADDED_TO_HEADER, bodyBytes, payloadBytes);
        } catch (RuntimeException | Error e) {
            request.payload().release();
            throw e;
        }
        if (problem.isPresent()) {
            return refused(request, FsError.TOO_LARGE, "the request's " + problem.get());
        }
        long bytes = bodyBytes + payloadBytes;
        Room room = share.roomAt(this);
        if (!room.take(bytes)) {
            return refused(request, FsError.BUSY, server + ": " + room);
        }
        ClientCall call =
                new ClientCall(this, share, room, request, meant, bytes, timeoutMillis, clock.monotonicNanos());
        Waiter.asks(request.kind());
        call.early(EarlyCall.take(request.kind(), loop));
        if (loop.inEventLoop()) {
            begin(call);
            return call;
        }
        try {
            loop.execute(call);
        } catch (RejectedExecutionException e) {
            LOG.debug("{}: call after the event loops were closed", server, e);
            refuseUnsent(call, FsError.UNREACHABLE, TRANSPORT_CLOSED);
        }
        return call;
    }

    /** Handles a call that its caller cancelled. */
    void takeBack(ClientCall call) {
        execute(() -> {
            ClientLink open = link;
            if (queue.remove(call)) {
                drop(call);
            } else if (open != null) {
                open.takeBack(call);
            }
            settled();
        });
    }

    /** Ends the calls of one client. */
    void leave(TransportShare share) {
        execute(() -> {
            refuseWaiting(call -> call.share() == share, FsError.UNREACHABLE, TRANSPORT_CLOSED);
            ClientLink open = link;
            if (open != null) {
                open.leave(share);
            }
            settled();
        });
    }

    /** Ends all calls and the connection. Later calls are refused. */
    void close() {
        execute(() -> {
            closed = true;
            deadlines.stop();
            refuseWaiting(call -> true, FsError.UNREACHABLE, TRANSPORT_CLOSED);
            ClientLink open = link;
            if (open != null) {
                open.close("the transport was closed");
            }
        });
    }

    /** Runs the task on the event loop. If the caller is on the event loop, the task runs at once. */
    void execute(Runnable task) {
        if (loop.inEventLoop()) {
            task.run();
            return;
        }
        try {
            loop.execute(task);
        } catch (RejectedExecutionException e) {
            LOG.debug("{}: the event loops were closed", server, e);
        }
    }

    private static CompletableFuture<Reply> refused(Request request, FsError error, String message) {
        request.payload().release();
        return CompletableFuture.completedFuture(Reply.refused(request.kind(), error, message));
    }

    // ---- on the event loop: calls

    void begin(ClientCall call) {
        if (call.isDone()) {
            drop(call);
            return;
        }
        if (closed || call.share().isClosed()) {
            refuseUnsent(call, FsError.UNREACHABLE, TRANSPORT_CLOSED);
            return;
        }
        ClientLink open = link;
        if (open != null && !open.isOpen()) {
            open.ended();
        }
        open = link;
        if (open != null && queue.mayPass(call)) {
            open.write(call);
        } else if (open == null && !connector.isConnecting() && pause.holdsUp(call.meant())) {
            refuseUnsent(call, pause.error(), pause.why());
            return;
        } else {
            queue.add(call);
        }
        deadlines.plan(call.deadlineNanos());
        connectIfWanted();
    }

    /** Number for the next call. The number of a written call is never used again, not even on a later connection. */
    long nextNumber() {
        return lastNumber + 1;
    }

    /** Marks a number as used. No other call gets this number, even if the call that has the number fails. */
    void use(long number) {
        lastNumber = number;
    }

    /** Notes that a call is being written. */
    void sent(ClientCall call) {
        queue.sent(call);
        EarlyCall early = call.early();
        if (early != null) {
            early.sent();
        }
        Request request = call.request();
        call.share().counters().out(request.kind(), request.header().getStep());
    }

    /** Notes that the server does not have the call any more. Either the server replied, or the connection is lost. */
    void finished(ClientCall call) {
        queue.settled(call);
        EarlyCall early = call.early();
        if (early != null) {
            early.answered();
        }
    }

    /** Sends waiting calls. To be called when the server may have fewer calls than before. */
    void settled() {
        sendWaiting();
        idle.look();
    }

    private void sendWaiting() {
        ClientLink open = link;
        while (open != null && open.isOpen()) {
            ClientCall call = queue.next();
            if (call == null) {
                return;
            }
            if (call.isDone()) {
                drop(call);
            } else {
                open.write(call);
            }
            open = link;
        }
    }

    private void refuseWaiting(Predicate<ClientCall> which, FsError error, String why) {
        for (ClientCall call : queue.take(which)) {
            refuseUnsent(call, error, why);
        }
    }

    /** Answers an unwritten call with an error. */
    void refuseUnsent(ClientCall call, FsError error, String why) {
        drop(call);
        call.refuse(error, server + ": " + why);
    }

    /** Gives back the room and the payload of a call that was not written. */
    static void drop(ClientCall call) {
        call.giveBack();
        call.request().payload().release();
    }

    /** Counts a call that was written and has ended. */
    void note(ClientCall call, FsError outcome) {
        Request request = call.request();
        call.share()
                .counters()
                .recent()
                .sent(
                        request.header().getTraceId(),
                        request.kind(),
                        request.header().getStep(),
                        name,
                        call.senderPort(),
                        call.number(),
                        call.bytes(),
                        outcome,
                        MessageTimes.sent(call.sentNanos(), clock.monotonicNanos()));
    }

    // ---- on the event loop: the connection

    /** The connection in use; null if there is no connection. */
    @Nullable
    ClientLink link() {
        return link;
    }

    ReconnectPause pause() {
        return pause;
    }

    boolean isClosed() {
        return closed;
    }

    /** Connects if calls wait and there is no connection. */
    void connectIfWanted() {
        ClientCall first = queue.first();
        while (first != null && link == null && !connector.isConnecting()) {
            PeerName meant = first.meant();
            if (pause.holdsUp(meant)) {
                refuseWaiting(call -> pause.holdsUp(call.meant()), pause.error(), pause.why());
                first = queue.first();
            } else {
                connector.connect(meant);
            }
        }
    }

    /** An attempt to connect succeeded, so requests may be sent. */
    void connected(ClientLink open) {
        if (closed) {
            open.close("the transport was closed");
        } else {
            link = open;
            settled();
        }
    }

    /**
     * An attempt to connect failed.
     *
     * @param concerned only calls to this server fail; null = all calls fail
     */
    void notConnected(FsError error, String why, @Nullable PeerName concerned) {
        pause.failed(error, why, concerned);
        refuseWaiting(call -> concerned == null || concerned.equals(call.meant()), error, why);
        connectIfWanted();
    }

    /** The connection is lost. Returns whether the lost connection was the connection in use. */
    boolean forget(ClientLink lost) {
        if (link != lost) {
            return false;
        }
        link = null;
        return true;
    }
}
