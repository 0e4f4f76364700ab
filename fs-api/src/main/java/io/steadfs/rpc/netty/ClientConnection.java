package io.steadfs.rpc.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.concurrent.ScheduledFuture;
import io.steadfs.error.FsError;
import io.steadfs.hello.HelloOpener;
import io.steadfs.hello.Introduction;
import io.steadfs.hello.PeerName;
import io.steadfs.recent.MessageTimes;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.ReplyReader;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.time.Clock;
import io.steadfs.wire.FrameDecoder;
import io.steadfs.wire.FrameEncoder;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Hello;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A process's end of the connection to one server, through losses and new attempts. Many clients use it, and each has its {@link Room}.
 * Callers only take room and hand over calls. Everything else belongs to one event loop, on which the channel lives too.
 *
 * <p>What holds for each call: it is answered once. It fails with CONNECTION_LOST or TIMED_OUT only if it was written, and with UNAVAILABLE
 * only if the server said that it did not execute its unanswered calls. The server never has more calls than it works on at a time, so it
 * always reads what is sent.
 *
 * <p>A connection without calls ends after a time. The event loop that ends it also begins calls, so no call is written to a connection
 * that this side has ended. If the server ends the connection meanwhile, the call is UNAVAILABLE, and it is certain that it can be sent
 * again.
 *
 * <p>Timeouts cost no object per call. One timer stands at the earliest deadline. When it fires, all calls are looked at, and the timer
 * goes to the next earliest deadline. With n calls of about the same timeout T that is one pass over n calls in T.
 */
// The outcome of a write or close comes as an event of the channel.
@SuppressWarnings("FutureReturnValueIgnored")
final class ClientConnection {
    static final String TRANSPORT_CLOSED = "the transport is closed";

    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);
    private static final long FIRST_PAUSE_NANOS = 20_000_000;
    /** The shortest time between two checks of the deadlines. */
    private static final long TICK_NANOS = 2_000_000;

    private static final int ADDED_TO_HEADER = 32;

    private static final String NO_ANSWER = "the connection was closed without an answer";

    private final ServerAddress server;
    private final String name;
    private final EventLoop loop;
    private final EventLoops loops;
    private final NettyOptions options;
    private final Clock clock;
    private final Introduction introduction;
    private final CallQueue queue = new CallQueue();

    private @Nullable Link link;
    private boolean connecting;
    /** While connecting: the connection is made, and HELLO is not answered yet. */
    private boolean accepted;

    private boolean closed;
    private long lastNumber;
    private int failures;
    private long notBeforeNanos;
    /** The pause concerns only calls that are meant for this server. If null, it concerns all calls. */
    private @Nullable PeerName pausedFor;

    private FsError lastError = FsError.UNREACHABLE;
    private String lastFailure = "";
    private @Nullable ScheduledFuture<?> timer;
    private long timerNanos;
    private boolean idleTimerRuns;
    private long idleSinceNanos;
    /** Unsent bytes when the connection was last found idle. */
    private long unsentBefore;

    ClientConnection(
            ServerAddress server, EventLoops loops, NettyOptions options, Clock clock, Introduction introduction) {
        this.server = server;
        this.name = server.toString();
        this.loops = loops;
        this.loop = loops.next();
        this.options = options;
        this.clock = clock;
        this.introduction = introduction;
    }

    // ---- from any thread

    /** @param meant the server that the request is for */
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

    void takeBack(ClientCall call) {
        execute(() -> {
            Link open = link;
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
            Link open = link;
            if (open != null) {
                open.leave(share);
            }
            settled();
        });
    }

    void close() {
        execute(() -> {
            closed = true;
            stopTimer();
            refuseWaiting(call -> true, FsError.UNREACHABLE, TRANSPORT_CLOSED);
            Link open = link;
            if (open != null) {
                open.close("the transport was closed");
            }
        });
    }

    private void execute(Runnable task) {
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

    // ---- on the event loop

    /** A call that was sent is over. */
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

    void begin(ClientCall call) {
        if (call.isDone()) {
            drop(call);
            return;
        }
        if (closed || call.share().isClosed()) {
            refuseUnsent(call, FsError.UNREACHABLE, TRANSPORT_CLOSED);
            return;
        }
        Link open = link;
        if (open != null && !open.isOpen()) {
            open.ended();
        }
        open = link;
        if (open != null && queue.mayPass(call)) {
            open.write(call);
        } else if (open == null && !connecting && isPausedFor(call.meant())) {
            refuseUnsent(call, lastError, lastFailure);
            return;
        } else {
            queue.add(call);
        }
        plan(call.deadlineNanos());
        connectIfWanted();
    }

    /** The call was not sent, and nobody wants it any more. */
    private static void drop(ClientCall call) {
        call.giveBack();
        call.request().payload().release();
    }

    private boolean isPausedFor(PeerName meant) {
        PeerName concerned = pausedFor;
        return clock.monotonicNanos() - notBeforeNanos < 0 && (concerned == null || concerned.equals(meant));
    }

    /** Connects if calls wait and there is no connection. */
    private void connectIfWanted() {
        ClientCall first = queue.first();
        while (first != null && link == null && !connecting) {
            PeerName meant = first.meant();
            if (isPausedFor(meant)) {
                refuseWaiting(call -> isPausedFor(call.meant()), lastError, lastFailure);
                first = queue.first();
            } else {
                connect(meant);
            }
        }
    }

    /** To be called when the server may have fewer calls than before. */
    private void settled() {
        sendWaiting();
        Link open = link;
        if (open == null || open.hasCalls() || !queue.isEmpty()) {
            return;
        }
        idleSinceNanos = clock.monotonicNanos();
        unsentBefore = 0;
        if (!idleTimerRuns) {
            watchIdle(options.clientIdleMillis() * 1_000_000);
        }
    }

    private void watchIdle(long nanos) {
        idleTimerRuns = true;
        loop.schedule(this::checkIdle, nanos, TimeUnit.NANOSECONDS);
    }

    private void checkIdle() {
        idleTimerRuns = false;
        Link open = link;
        if (open == null || open.hasCalls() || !queue.isEmpty()) {
            return;
        }
        long left = idleSinceNanos + options.clientIdleMillis() * 1_000_000 - clock.monotonicNanos();
        long unsent = open.unsentBytes();
        if (left > 0) {
            watchIdle(left);
        } else if (unsent > 0 && unsent != unsentBefore) {
            // The unsent bytes belong to calls that were given up. The server has taken some of them since, or this is
            // the first look at them.
            unsentBefore = unsent;
            watchIdle(options.clientIdleMillis() * 1_000_000);
        } else {
            open.endInOrder("no calls for " + options.clientIdleMillis() + " ms");
        }
    }

    private void connect(PeerName meant) {
        connecting = true;
        accepted = false;
        var unused = loops.lookup()
                .find(server)
                .whenComplete((address, failure) -> execute(() -> {
                    if (closed) {
                        connecting = false;
                    } else if (address == null) {
                        notConnected(failure instanceof CompletionException wrapped ? wrapped.getCause() : failure);
                    } else {
                        connect(meant, address);
                    }
                }));
    }

    private void connect(PeerName meant, InetSocketAddress address) {
        Link made = new Link(meant);
        ChannelFuture attempt = new Bootstrap()
                .group(loop)
                .channel(loops.socketChannel())
                .option(ChannelOption.TCP_NODELAY, true)
                .option(ChannelOption.SO_KEEPALIVE, true)
                .option(ChannelOption.CONNECT_TIMEOUT_MILLIS, options.connectTimeoutMillis())
                .option(ChannelOption.WRITE_BUFFER_WATER_MARK, NettyServer.WATER_MARK)
                .option(ChannelOption.RECVBUF_ALLOCATOR, NettyServer.readSizes())
                .handler(made)
                .connect(address);
        attempt.addListener(done -> {
            if (!done.isSuccess()) {
                notConnected(done.cause());
            } else if (closed) {
                connecting = false;
                attempt.channel().close();
            } else if (attempt.channel().isActive()) {
                made.greet();
            } else {
                connectFailed(FsError.UNREACHABLE, "closed as soon as it was open", null);
            }
        });
    }

    /** @param concerned only calls that mean this server fail, since the server there may be the one that others mean; null = all fail */
    private void connectFailed(FsError error, String why, @Nullable PeerName concerned) {
        connecting = false;
        failed(error, why);
        pausedFor = concerned;
        refuseWaiting(call -> concerned == null || concerned.equals(call.meant()), error, why);
        connectIfWanted();
    }

    /** It is known which server is there: requests may be sent. */
    private void connected(Link open) {
        connecting = false;
        if (closed) {
            open.close("the transport was closed");
        } else {
            link = open;
            settled();
        }
    }

    private void notConnected(@Nullable Throwable cause) {
        if (cause instanceof UnknownHostException) {
            connectFailed(FsError.UNKNOWN_HOST, "no machine of this name is known", null);
        } else {
            connectFailed(FsError.UNREACHABLE, why(cause), null);
        }
    }

    /** The reason, without the address, which the message already has. */
    private String why(@Nullable Throwable cause) {
        if (cause instanceof ConnectTimeoutException) {
            return "no connection within " + options.connectTimeoutMillis() + " ms";
        }
        String message = cause == null ? "" : String.valueOf(cause.getMessage());
        return cause instanceof ConnectException && message.contains("refused")
                ? "connection refused: nothing listens there"
                : message;
    }

    private void sendWaiting() {
        Link open = link;
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

    /** Makes the next attempts wait, longer each time. */
    private void failed(FsError error, String why) {
        failures++;
        long pause =
                Math.min(options.reconnectMaxMillis() * 1_000_000, FIRST_PAUSE_NANOS << Math.min(failures - 1, 20));
        notBeforeNanos = clock.monotonicNanos() + pause;
        pausedFor = null;
        lastError = error;
        lastFailure = why;
        LOG.debug("{}: {}; no new attempt for {} ms", server, why, pause / 1_000_000);
    }

    private void refuseWaiting(Predicate<ClientCall> which, FsError error, String why) {
        for (ClientCall call : queue.take(which)) {
            refuseUnsent(call, error, why);
        }
    }

    private void refuseUnsent(ClientCall call, FsError error, String why) {
        drop(call);
        call.refuse(error, server + ": " + why);
    }

    // ---- deadlines

    private void plan(long deadlineNanos) {
        if (timer != null) {
            if (timerNanos - deadlineNanos <= 0) {
                return;
            }
            timer.cancel(false);
        }
        timerNanos = deadlineNanos;
        long delay = Math.max(TICK_NANOS, deadlineNanos - clock.monotonicNanos());
        timer = loop.schedule(this::expire, delay, TimeUnit.NANOSECONDS);
    }

    private void stopTimer() {
        if (timer != null) {
            timer.cancel(false);
            timer = null;
        }
    }

    private void expire() {
        timer = null;
        long now = clock.monotonicNanos();
        List<ClientCall> waitedFor = new ArrayList<>(queue.waiting());
        Link open = link;
        if (open != null) {
            open.addTo(waitedFor);
        }
        List<ClientCall> late = new ArrayList<>();
        long earliest = 0;
        boolean any = false;
        for (ClientCall call : waitedFor) {
            if (call.deadlineNanos() - now <= 0) {
                late.add(call);
            } else if (!any || call.deadlineNanos() - earliest < 0) {
                earliest = call.deadlineNanos();
                any = true;
            }
        }
        if (any) {
            plan(earliest);
        }
        for (ClientCall call : late) {
            refuseLate(call);
        }
        if (!late.isEmpty() && open != null) {
            open.closeIfSilent(now);
        }
        settled();
    }

    private void refuseLate(ClientCall call) {
        Link open = link;
        if (queue.remove(call)) {
            String within = " within " + call.timeoutMillis() + " ms";
            if (open != null) {
                refuseUnsent(call, FsError.BUSY, "not sent" + within + ": " + call.room() + ", and " + queue);
            } else {
                refuseUnsent(call, FsError.UNREACHABLE, (accepted ? "no answer to HELLO" : "no connection") + within);
            }
        } else if (open != null && open.giveUp(call)) {
            call.timedOut();
            call.refuse(
                    FsError.TIMED_OUT,
                    server + ": no reply to " + call.request().kind() + " within " + call.timeoutMillis() + " ms");
        }
    }

    /** One connection, from its HELLO to its loss. */
    private final class Link extends ChannelInboundHandlerAdapter implements ReplyReader.Receiver {
        private final HelloOpener opener;
        private final ClientGreeting reader;
        private final PeerName meant;
        /** Calls at the server, by number. They include calls that nobody waits for any more. */
        private final LongObjectHashMap<ClientCall> calls = new LongObjectHashMap<>();

        /** Number of calls that somebody waits for. */
        private int waitedFor;

        private boolean greeting;
        private boolean over;
        /** The connection ends without anybody's fault. */
        private boolean inOrder;

        private @Nullable PeerName wrong;
        private @Nullable Channel channel;
        private @Nullable FlushLater flusher;
        private @Nullable FrameDecoder decoder;
        private FsError lossError = FsError.CONNECTION_LOST;
        private String lossMessage = NO_ANSWER;
        private boolean answered;
        private boolean received;
        private long lastReadNanos;

        Link(PeerName meant) {
            this.meant = meant;
            opener = new HelloOpener(introduction, meant);
            reader = new ClientGreeting(opener, this, this::greeted);
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            channel = context.channel();
            flusher = new FlushLater(context.channel());
            decoder = new FrameDecoder(options.frameLimits(), context.alloc());
        }

        /** Sends HELLO, and waits for the answer for as long as a connection may take. */
        void greet() {
            Channel open = channel;
            if (open == null) {
                throw new IllegalStateException("the channel was not prepared");
            }
            greeting = true;
            accepted = true;
            ByteBuf hello;
            try {
                hello = FrameEncoder.hello(open.alloc(), opener.first());
            } catch (RuntimeException | Error e) {
                close("HELLO cannot be encoded: " + e);
                return;
            }
            open.writeAndFlush(hello);
            int patience = options.connectTimeoutMillis();
            loop.schedule(
                    () -> {
                        if (greeting) {
                            close("no answer to HELLO within " + patience + " ms");
                        }
                    },
                    patience,
                    TimeUnit.MILLISECONDS);
        }

        private void greeted(PeerName answered, Optional<Hello> proof) {
            Channel open = channel;
            FlushLater flush = flusher;
            if (open != null && flush != null && proof.isPresent()) {
                open.write(FrameEncoder.hello(open.alloc(), proof.get()), open.voidPromise());
                flush.written();
            }
            greeting = false;
            connected(this);
        }

        boolean isOpen() {
            Channel open = channel;
            return open != null && open.isActive();
        }

        /** Bytes that were written and not taken by the socket. */
        long unsentBytes() {
            Channel open = channel;
            ChannelOutboundBuffer buffer = open == null ? null : open.unsafe().outboundBuffer();
            return buffer == null ? 0 : buffer.totalPendingWriteBytes();
        }

        /** Whether somebody waits for a reply. */
        boolean hasCalls() {
            return waitedFor > 0;
        }

        void addTo(List<ClientCall> all) {
            for (ClientCall call : calls.values()) {
                if (!call.isOver()) {
                    all.add(call);
                }
            }
        }

        void write(ClientCall call) {
            Channel open = channel;
            FlushLater flush = flusher;
            if (open == null || flush == null || !open.isActive()) {
                refuseUnsent(call, FsError.UNREACHABLE, lossMessage);
                return;
            }
            if (!reader.fits(call.meant())) {
                refuseUnsent(
                        call,
                        FsError.UNREACHABLE,
                        reader.answered().map(PeerName::toString).orElse("nobody") + " answers; " + call.meant()
                                + " was meant");
                return;
            }
            long now = clock.monotonicNanos();
            long leftMillis = (call.deadlineNanos() - now + 999_999) / 1_000_000;
            if (leftMillis <= 0) {
                refuseUnsent(call, FsError.UNREACHABLE, "no connection within " + call.timeoutMillis() + " ms");
                return;
            }
            Request request = call.request();
            Payload payload = request.payload();
            ByteBuf frame;
            try {
                frame = FrameEncoder.request(
                        open.alloc(),
                        request.kind(),
                        lastNumber + 1,
                        (int) Math.min(Integer.MAX_VALUE, leftMillis),
                        request.header(),
                        request.body(),
                        (int) payload.length());
            } catch (OutOfMemoryError e) {
                drop(call);
                call.refuse(
                        FsError.BUSY,
                        "no memory to send " + request.kind() + " (-XX:MaxDirectMemorySize, -Xmx): " + e.getMessage());
                return;
            } catch (RuntimeException | Error e) {
                drop(call);
                call.refuse(FsError.FAULT, request.kind() + " cannot be encoded: " + e);
                return;
            }
            lastNumber++;
            call.sentAs(lastNumber, port(open), now);
            calls.put(lastNumber, call);
            queue.sent(call);
            call.share().counters().out(request.kind(), request.header().getStep());
            waitedFor++;
            open.write(frame, open.voidPromise());
            if (payload instanceof Payload.Region region) {
                open.write(region.region(), open.voidPromise());
            } else if (payload instanceof Payload.Bytes bytes && bytes.buffer().isReadable()) {
                open.write(bytes.buffer(), open.voidPromise());
            } else {
                payload.release();
            }
            flush.written();
        }

        /** Port of this end. */
        private static int port(Channel open) {
            return open.localAddress() instanceof InetSocketAddress address ? address.getPort() : 0;
        }

        /** The caller took the call back. The server is told. The call keeps its place until the server answers. */
        void takeBack(ClientCall call) {
            if (giveUp(call)) {
                note(call, FsError.CANCELLED);
                cancel(call.number());
            }
        }

        /** Ends the calls of a client. */
        void leave(TransportShare share) {
            List<ClientCall> all = new ArrayList<>();
            addTo(all);
            for (ClientCall call : all) {
                if (call.share() == share && giveUp(call)) {
                    cancel(call.number());
                    call.refuse(FsError.CONNECTION_LOST, server + ": the transport was closed");
                }
            }
        }

        /** Nobody waits for the call any more. Returns false if that was so already. */
        boolean giveUp(ClientCall call) {
            if (call.isOver() || calls.get(call.number()) != call) {
                return false;
            }
            call.giveBack();
            waitedFor--;
            return true;
        }

        private void cancel(long number) {
            Channel open = channel;
            FlushLater flush = flusher;
            if (open != null && flush != null && open.isActive()) {
                ByteBuf frame;
                try {
                    frame = FrameEncoder.cancel(open.alloc(), number);
                } catch (RuntimeException | Error e) {
                    // This message only saves the server work. The callers of other calls must still get their answers.
                    LOG.warn("{}: a call that was given up is not cancelled", server, e);
                    return;
                }
                open.write(frame, open.voidPromise());
                flush.written();
            }
        }

        /**
         * A call timed out: does anything still come? The connection is closed if nothing came since a timed-out call was sent, and that
         * call was sent long ago. The next call then gets a new connection. A call that was sent before the last byte came proves nothing:
         * the server may be slow with it, and other calls wait on this connection too.
         */
        void closeIfSilent(long now) {
            // Calls that were given up before count too. Otherwise one try after another would not notice that nothing
            // comes.
            long silentNanos = 0;
            for (ClientCall call : calls.values()) {
                if (call.isTimedOut() && (!received || call.sentNanos() - lastReadNanos > 0)) {
                    silentNanos = Math.max(silentNanos, now - call.sentNanos());
                }
            }
            if (silentNanos >= options.frameTimeoutMillis() * 1_000_000) {
                close("nothing came for " + silentNanos / 1_000_000 + " ms");
            }
        }

        /** Ends the connection while nothing is wrong with it. */
        void endInOrder(String why) {
            inOrder = true;
            close(why);
        }

        void close(String why) {
            lossMessage = why;
            Channel open = channel;
            if (open != null) {
                open.close();
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf in = (ByteBuf) message;
            try {
                lastReadNanos = clock.monotonicNanos();
                if (!received) {
                    received = true;
                    Optional<String> foreign = ForeignAnswer.of(in);
                    if (foreign.isPresent()) {
                        lossError = FsError.NOT_STEADFS;
                        close(foreign.get());
                        return;
                    }
                }
                FlushLater flush = flusher;
                FrameDecoder frames = decoder;
                if (flush != null && frames != null) {
                    flush.readBegins();
                    frames.feed(in, reader);
                }
            } finally {
                in.release();
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext context) {
            FlushLater flush = flusher;
            if (flush != null) {
                flush.readEnds();
            }
        }

        @Override
        public Optional<Kind> kindOf(long number) {
            ClientCall call = calls.get(number);
            return call == null ? Optional.empty() : Optional.of(call.request().kind());
        }

        @Override
        public void reply(long number, Reply reply) {
            ClientCall call = calls.remove(number);
            if (call == null) {
                reply.payload().release();
                return;
            }
            queue.settled(call);
            if (!answered) {
                answered = true;
                lossMessage = "the connection ended";
            }
            failures = 0;
            if (call.isOver()) {
                reply.payload().release();
            } else {
                call.giveBack();
                waitedFor--;
                call.answer(reply);
            }
            settled();
        }

        @Override
        public void end(FsError error, String message) {
            if (error == FsError.UNAVAILABLE) {
                // In order: the server says that it did not execute the calls that it left unanswered.
                LOG.debug("{}: connection ended by the server: {}", server, message);
                lossError = error;
                endInOrder(message);
                return;
            }
            if (failures == 0) {
                LOG.warn("{}: connection closed: {}: {}", server, error, message);
            }
            if (error == FsError.UNSUPPORTED_VERSION || (error == FsError.BUSY && greeting)) {
                lossError = error;
            }
            if (error == FsError.WRONG_SERVER && greeting) {
                wrong = meant;
            }
            close(lossError == FsError.BUSY ? message : error + ": " + message);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            LOG.debug("{}: connection closed", server, cause);
            if (cause instanceof OutOfMemoryError) {
                // There was no memory for some bytes, so the rest of the stream is lost with them.
                LOG.warn("{}: no memory for an answer, see -XX:MaxDirectMemorySize and -Xmx", server, cause);
                lossError = FsError.NO_MEMORY;
                close("no memory for an answer (-XX:MaxDirectMemorySize, -Xmx): " + cause.getMessage());
                return;
            }
            close(String.valueOf(cause.getMessage()));
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            ended();
        }

        /** There is no connection any more. May be called again. */
        void ended() {
            if (over) {
                return;
            }
            over = true;
            FrameDecoder frames = decoder;
            if (frames != null) {
                frames.close();
            }
            if (greeting) {
                greeting = false;
                connectFailed(
                        lossError == FsError.CONNECTION_LOST ? FsError.UNREACHABLE : lossError, lossMessage, wrong);
                return;
            }
            if (link != this) {
                return;
            }
            link = null;
            if (!answered && !inOrder) {
                failed(FsError.UNREACHABLE, lossMessage);
            }
            List<ClientCall> lost = new ArrayList<>(calls.values());
            calls.clear();
            lost.forEach(queue::settled);
            for (ClientCall call : lost) {
                if (!call.isOver()) {
                    call.giveBack();
                    call.refuse(lossError, server + ": " + lossMessage);
                }
            }
            connectIfWanted();
        }
    }
}
