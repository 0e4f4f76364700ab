package io.steadfs.rpc.netty;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOption;
import io.netty.channel.ConnectTimeoutException;
import io.netty.channel.EventLoop;
import io.netty.util.collection.LongObjectHashMap;
import io.netty.util.concurrent.ScheduledFuture;
import io.steadfs.error.FsError;
import io.steadfs.hello.HelloOpener;
import io.steadfs.hello.Introduction;
import io.steadfs.hello.PeerName;
import io.steadfs.recent.MessageTimes;
import io.steadfs.rpc.MessageCounters;
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
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client's end of the connection to one server, through losses and new attempts. Callers only reserve room and hand
 * over; everything else belongs to one event loop, on which the channel lives too.
 *
 * <p>Timeouts cost no object per call: one timer stands at the earliest deadline; when it fires, all calls are looked
 * at and the timer goes to the then earliest one. With n calls of about the same timeout T that is one pass over n calls
 * in T.
 */
// What becomes of a write or close comes as an event of the channel.
@SuppressWarnings("FutureReturnValueIgnored")
final class ClientConnection {
    private static final Logger LOG = LoggerFactory.getLogger(ClientConnection.class);
    private static final long FIRST_PAUSE_NANOS = 20_000_000;
    /** Deadlines are looked at no more often than this. */
    private static final long TICK_NANOS = 2_000_000;

    private static final int ADDED_TO_HEADER = 32;

    private static final String NO_ANSWER = "the connection was closed without an answer";

    private final ServerAddress server;
    private final String name;
    private final EventLoop loop;
    private final EventLoops loops;
    private final NettyOptions options;
    private final MessageCounters counters;
    private final Clock clock;
    private final Introduction introduction;
    private final AtomicInteger inFlight = new AtomicInteger();
    private final AtomicLong inFlightBytes = new AtomicLong();

    /** Not sent: the connection is being made. */
    private final ArrayDeque<ClientCall> waiting = new ArrayDeque<>();
    /** Sent, without a reply, by number. */
    private final LongObjectHashMap<ClientCall> calls = new LongObjectHashMap<>();

    private @Nullable Link link;
    private boolean connecting;
    /** While connecting: there is a connection, and no answer to HELLO yet. */
    private boolean accepted;

    private boolean closed;
    private long lastNumber;
    private int failures;
    private long notBeforeNanos;
    private FsError lastError = FsError.UNREACHABLE;
    private String lastFailure = "";
    private @Nullable ScheduledFuture<?> timer;
    private long timerNanos;

    ClientConnection(
            ServerAddress server,
            EventLoops loops,
            NettyOptions options,
            MessageCounters counters,
            Clock clock,
            Introduction introduction) {
        this.server = server;
        this.name = server.toString();
        this.loops = loops;
        this.loop = loops.next();
        this.options = options;
        this.counters = counters;
        this.clock = clock;
        this.introduction = introduction;
    }

    // ---- from any thread

    /** @param meant whom the request is for */
    CompletableFuture<Reply> send(Request request, PeerName meant, long timeoutMillis) {
        int bodyBytes = request.body().getSerializedSize();
        long payloadBytes = request.payload().length();
        Optional<String> problem = options.frameLimits()
                .problem(request.header().getSerializedSize() + ADDED_TO_HEADER, bodyBytes, payloadBytes);
        if (problem.isPresent()) {
            return refused(request, FsError.TOO_LARGE, "the request's " + problem.get());
        }
        long bytes = bodyBytes + payloadBytes;
        if (!reserve(bytes)) {
            return refused(
                    request,
                    FsError.BUSY,
                    server + ": " + inFlight + " calls of " + inFlightBytes + " bytes wait for replies already");
        }
        ClientCall call = new ClientCall(this, request, meant, bytes, timeoutMillis, clock.monotonicNanos());
        if (loop.inEventLoop()) {
            begin(call);
            return call;
        }
        try {
            loop.execute(call);
        } catch (RejectedExecutionException e) {
            LOG.debug("{}: call after the event loops were closed", server, e);
            giveBack(call);
            refuseUnsent(call, FsError.UNREACHABLE, "the transport is closed");
        }
        return call;
    }

    void takeBack(ClientCall call) {
        execute(() -> {
            if (call.number() != 0) {
                if (calls.remove(call.number()) == call) {
                    giveBack(call);
                    note(call, FsError.CANCELLED);
                    Link open = link;
                    if (open != null) {
                        open.cancel(call.number());
                    }
                }
            } else if (waiting.remove(call)) {
                giveBack(call);
                call.request().payload().release();
            }
        });
    }

    void close() {
        execute(() -> {
            closed = true;
            stopTimer();
            failWaiting(FsError.UNREACHABLE, "the transport is closed");
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

    private CompletableFuture<Reply> refused(Request request, FsError error, String message) {
        request.payload().release();
        return CompletableFuture.completedFuture(Reply.refused(request.kind(), error, message));
    }

    /** The only call may be of any size. */
    private boolean reserve(long bytes) {
        if (inFlight.incrementAndGet() > options.clientInFlight()) {
            inFlight.decrementAndGet();
            return false;
        }
        long before = inFlightBytes.getAndAdd(bytes);
        if (before > 0 && before + bytes > options.clientInFlightBytes()) {
            inFlightBytes.addAndGet(-bytes);
            inFlight.decrementAndGet();
            return false;
        }
        return true;
    }

    private void giveBack(ClientCall call) {
        inFlight.decrementAndGet();
        inFlightBytes.addAndGet(-call.bytes());
    }

    // ---- on the event loop

    /** A call that was sent is over. */
    void note(ClientCall call, FsError outcome) {
        Request request = call.request();
        counters.recent()
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
            giveBack(call);
            call.request().payload().release();
            return;
        }
        Link open = link;
        if (open != null) {
            open.write(call);
            plan(call.deadlineNanos());
            return;
        }
        if (closed || (!connecting && clock.monotonicNanos() - notBeforeNanos < 0)) {
            giveBack(call);
            if (closed) {
                refuseUnsent(call, FsError.UNREACHABLE, "the transport is closed");
            } else {
                refuseUnsent(call, lastError, lastFailure);
            }
            return;
        }
        waiting.add(call);
        plan(call.deadlineNanos());
        if (!connecting) {
            connect(call.meant());
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
                connectFailed(FsError.UNREACHABLE, "closed as soon as it was open");
            }
        });
    }

    private void connectFailed(FsError error, String why) {
        connecting = false;
        failed(error, why);
        failWaiting(error, why);
    }

    /** Whoever is there is known: requests may be sent. */
    private void connected(Link open) {
        connecting = false;
        if (closed) {
            open.close("the transport was closed");
        } else {
            link = open;
            writeWaiting(open);
        }
    }

    private void notConnected(@Nullable Throwable cause) {
        if (cause instanceof UnknownHostException) {
            connectFailed(FsError.UNKNOWN_HOST, "no machine of this name is known");
        } else {
            connectFailed(FsError.UNREACHABLE, why(cause));
        }
    }

    /** Without the address, which is said beside it. */
    private String why(@Nullable Throwable cause) {
        if (cause instanceof ConnectTimeoutException) {
            return "no connection within " + options.connectTimeoutMillis() + " ms";
        }
        String message = cause == null ? "" : String.valueOf(cause.getMessage());
        return cause instanceof ConnectException && message.contains("refused")
                ? "connection refused: nothing listens there"
                : message;
    }

    private void writeWaiting(Link open) {
        ClientCall call = waiting.poll();
        while (call != null) {
            if (call.isDone()) {
                giveBack(call);
                call.request().payload().release();
            } else {
                open.write(call);
            }
            call = waiting.poll();
        }
    }

    /** Makes the next attempts wait, longer each time. */
    private void failed(FsError error, String why) {
        failures++;
        long pause =
                Math.min(options.reconnectMaxMillis() * 1_000_000, FIRST_PAUSE_NANOS << Math.min(failures - 1, 20));
        notBeforeNanos = clock.monotonicNanos() + pause;
        lastError = error;
        lastFailure = why;
        LOG.debug("{}: {}; no new attempt for {} ms", server, why, pause / 1_000_000);
    }

    private void failWaiting(FsError error, String why) {
        List<ClientCall> failed = new ArrayList<>(waiting);
        waiting.clear();
        for (ClientCall call : failed) {
            giveBack(call);
            refuseUnsent(call, error, why);
        }
    }

    private void refuseUnsent(ClientCall call, FsError error, String why) {
        call.request().payload().release();
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
        List<ClientCall> late = new ArrayList<>();
        long earliest = 0;
        boolean any = false;
        for (Iterable<ClientCall> set : List.of(calls.values(), waiting)) {
            for (ClientCall call : set) {
                long left = call.deadlineNanos() - now;
                if (left <= 0) {
                    late.add(call);
                } else if (!any || call.deadlineNanos() - earliest < 0) {
                    earliest = call.deadlineNanos();
                    any = true;
                }
            }
        }
        if (any) {
            plan(earliest);
        }
        boolean sent = false;
        for (ClientCall call : late) {
            giveBackRoomOf(call);
            if (call.number() == 0) {
                refuseUnsent(
                        call,
                        FsError.UNREACHABLE,
                        (accepted ? "no answer to HELLO within " : "no connection within ") + call.timeoutMillis()
                                + " ms");
            } else {
                sent = true;
                call.refuse(
                        FsError.TIMED_OUT,
                        server + ": no reply to " + call.request().kind() + " within " + call.timeoutMillis() + " ms");
            }
        }
        Link open = link;
        if (sent && open != null) {
            open.closeIfSilent(now);
        }
    }

    private void giveBackRoomOf(ClientCall call) {
        boolean held = call.number() == 0 ? waiting.remove(call) : calls.remove(call.number()) == call;
        if (held) {
            giveBack(call);
        }
    }

    /** One connection, from its HELLO to its loss. */
    private final class Link extends ChannelInboundHandlerAdapter implements ReplyReader.Receiver {
        private final HelloOpener opener;
        private final ClientGreeting reader;
        private boolean greeting;
        private @Nullable Channel channel;
        private @Nullable FlushLater flusher;
        private @Nullable FrameDecoder decoder;
        private FsError lossError = FsError.CONNECTION_LOST;
        private String lossMessage = NO_ANSWER;
        private boolean answered;
        private boolean received;
        private boolean silent;
        private long silentSinceNanos;

        Link(PeerName meant) {
            opener = new HelloOpener(introduction, meant);
            reader = new ClientGreeting(opener, this, this::greeted);
        }

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            channel = context.channel();
            flusher = new FlushLater(context.channel());
            decoder = new FrameDecoder(options.frameLimits(), context.alloc());
        }

        /** Says HELLO, and waits for the answer as long as for a connection. */
        void greet() {
            Channel open = channel;
            if (open == null) {
                throw new IllegalStateException("the channel was not prepared");
            }
            greeting = true;
            accepted = true;
            open.writeAndFlush(FrameEncoder.hello(open.alloc(), opener.first()));
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
            greeting = false;
            if (open != null && flush != null && proof.isPresent()) {
                open.write(FrameEncoder.hello(open.alloc(), proof.get()), open.voidPromise());
                flush.written();
            }
            connected(this);
        }

        void write(ClientCall call) {
            Channel open = channel;
            FlushLater flush = flusher;
            if (open == null || flush == null || !open.isActive()) {
                giveBack(call);
                refuseUnsent(call, FsError.UNREACHABLE, lossMessage);
                return;
            }
            if (!reader.fits(call.meant())) {
                giveBack(call);
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
                giveBack(call);
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
            } catch (RuntimeException e) {
                giveBack(call);
                payload.release();
                call.refuse(FsError.FAULT, request.kind() + " cannot be encoded: " + e);
                return;
            } catch (OutOfMemoryError e) {
                giveBack(call);
                payload.release();
                call.refuse(
                        FsError.BUSY,
                        "no memory to send " + request.kind() + " (-XX:MaxDirectMemorySize, -Xmx): " + e.getMessage());
                return;
            }
            lastNumber++;
            call.sentAs(lastNumber, port(open), now);
            calls.put(lastNumber, call);
            counters.out(request.kind(), request.header().getStep());
            if (!silent) {
                silent = true;
                silentSinceNanos = now;
            }
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

        /** Of this end. */
        private static int port(Channel open) {
            return open.localAddress() instanceof InetSocketAddress address ? address.getPort() : 0;
        }

        void cancel(long number) {
            Channel open = channel;
            FlushLater flush = flusher;
            if (open != null && flush != null && open.isActive()) {
                open.write(FrameEncoder.cancel(open.alloc(), number), open.voidPromise());
                flush.written();
            }
        }

        /** A call timed out: is anything still coming? If not for long, the next call gets a new connection. */
        void closeIfSilent(long now) {
            if (silent && now - silentSinceNanos >= options.frameTimeoutMillis() * 1_000_000) {
                close("nothing came for " + (now - silentSinceNanos) / 1_000_000 + " ms");
            }
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
                silent = !calls.isEmpty();
                silentSinceNanos = clock.monotonicNanos();
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
            silent = !calls.isEmpty();
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
            if (!answered) {
                answered = true;
                lossMessage = "the connection ended";
            }
            failures = 0;
            giveBack(call);
            call.answer(reply);
        }

        @Override
        public void end(FsError error, String message) {
            if (failures == 0) {
                LOG.warn("{}: connection closed: {}: {}", server, error, message);
            }
            if (error == FsError.UNSUPPORTED_VERSION) {
                lossError = error;
            }
            close(error + ": " + message);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            LOG.debug("{}: connection closed", server, cause);
            if (cause instanceof OutOfMemoryError) {
                // The rest of the stream is lost with what there was no room for.
                LOG.warn("{}: no memory for an answer, see -XX:MaxDirectMemorySize and -Xmx", server, cause);
                lossError = FsError.NO_MEMORY;
                close("no memory for an answer (-XX:MaxDirectMemorySize, -Xmx): " + cause.getMessage());
                return;
            }
            close(String.valueOf(cause.getMessage()));
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            FrameDecoder frames = decoder;
            if (frames != null) {
                frames.close();
            }
            if (greeting) {
                greeting = false;
                connectFailed(lossError == FsError.CONNECTION_LOST ? FsError.UNREACHABLE : lossError, lossMessage);
                return;
            }
            if (link != this) {
                return;
            }
            link = null;
            stopTimer();
            if (!answered) {
                failed(FsError.UNREACHABLE, lossMessage);
            }
            List<ClientCall> lost = new ArrayList<>(calls.values());
            calls.clear();
            for (ClientCall call : lost) {
                giveBack(call);
                call.refuse(lossError, server + ": " + lossMessage);
            }
        }
    }
}
