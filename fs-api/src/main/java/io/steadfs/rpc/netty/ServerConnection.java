package io.steadfs.rpc.netty;

import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.SocketChannel;
import io.netty.util.collection.LongObjectHashMap;
import io.steadfs.error.FsError;
import io.steadfs.hello.HelloAnswerer;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestReader;
import io.steadfs.wire.FrameDecoder;
import io.steadfs.wire.FrameEncoder;
import io.steadfs.wire.proto.Hello;
import io.steadfs.wire.proto.ReplyHeader;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's end of one connection. Everything here belongs to the channel's event loop, except {@link #replied}, {@link #stop} and
 * {@link #closeNow}, which hand over to it.
 *
 * <p>Life: open -> (a refusal spoils the stream) ended -> closed. An ended connection has sent its last answer and closed its sending side.
 * It goes on reading for a moment and throws the bytes away. If it closed with unread bytes, the kernel would reset the connection, and the
 * peer could lose the answer before reading it.
 */
// The outcome of a write or close comes as an event of the channel.
@SuppressWarnings("FutureReturnValueIgnored")
final class ServerConnection extends ChannelInboundHandlerAdapter
        implements RequestReader.Receiver, FrameBudget.Holder {
    private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);
    private static final long LINGER_MILLIS = 1_000;
    private static final MessageLite NO_BODY = ReplyHeader.getDefaultInstance();
    /** Most bytes that the encoder adds to a reply's header. */
    private static final int ADDED_TO_HEADER = 12;
    /** A frame is given up if it comes more slowly than this, beyond the time for which it may stand still. */
    private static final long LEAST_BYTES_A_SECOND = 16 << 10;

    private final NettyServer server;
    private final SocketChannel channel;
    private final InetSocketAddress address;
    private final String peer;
    private final FrameDecoder decoder;
    private final ServerGreeting reader;
    private final FlushLater flusher;
    private final LongObjectHashMap<ServerCall> calls = new LongObjectHashMap<>();
    /** Bytes received and not yet decoded because a bound was met. At most the bytes of one read of the socket. */
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>();

    private long bytesAtWork;
    private int regionsBeingSent;
    private long lastReadNanos;
    private long lastSentNanos;
    /** Start of the time in which an incomplete frame is watched. */
    private long frameSinceNanos;

    private long frame;
    private long frameBegunNanos;
    /** Whether the budget counts a frame of this connection. */
    private boolean isInBudget;

    /** The unsent replies when they were last looked at. */
    private Unsent unsentBefore = Unsent.NONE;

    private boolean unsentTimerRuns;
    private boolean draining;
    private boolean ended;
    private boolean stopping;
    /** While stopping: looks again when all written bytes are sent. */
    private boolean waitsForSent;

    private boolean frameTimerRuns;
    private @Nullable Runnable whenStopped;

    /** The unsent part of the replies. It stays equal as long as the peer takes nothing and no reply is added. */
    private record Unsent(long bytes, int regions, long progress) {
        static final Unsent NONE = new Unsent(0, 0, 0);

        boolean isNone() {
            return bytes == 0 && regions == 0;
        }
    }

    ServerConnection(NettyServer server, SocketChannel channel, InetSocketAddress address) {
        this.server = server;
        this.channel = channel;
        this.address = address;
        this.peer = address.getAddress().getHostAddress() + ":" + address.getPort();
        this.decoder = new FrameDecoder(server.options().frameLimits(), channel.alloc());
        this.flusher = new FlushLater(channel);
        this.reader = new ServerGreeting(new HelloAnswerer(server.welcome()), this::admit, this, this::answer);
    }

    private Optional<String> admit(PeerIdentity peerIdentity) {
        Optional<String> refusal = server.limits().admit(address(), peerIdentity);
        if (refusal.isPresent()) {
            server.load().connectionRefused();
        }
        return refusal;
    }

    InetAddress address() {
        return address.getAddress();
    }

    String peer() {
        return peer;
    }

    int peerPort() {
        return address.getPort();
    }

    /** Identity of the peer. Requests come only after it is certain. */
    PeerIdentity peerIdentity() {
        return reader.peerIdentity().orElseThrow(() -> new IllegalStateException(peer + " said no HELLO"));
    }

    private void answer(Hello hello) {
        channel.write(FrameEncoder.hello(channel.alloc(), hello), channel.voidPromise());
        flusher.written();
        watchUnsent();
    }

    long nanos() {
        return server.clock().monotonicNanos();
    }

    // ---- reading

    @Override
    public void channelActive(ChannelHandlerContext context) {
        lastReadNanos = nanos();
        lastSentNanos = lastReadNanos;
        long patience = server.options().helloTimeoutMillis();
        channel.eventLoop().schedule(() -> checkHello(patience), patience, TimeUnit.MILLISECONDS);
        watchIdleIn(server.options().serverIdleMillis() * 1_000_000);
    }

    private void checkHello(long patience) {
        if (!ended && channel.isActive() && reader.peerIdentity().isEmpty()) {
            end(
                    0,
                    FsError.BAD_MESSAGE,
                    "no HELLO came within " + patience + " ms (" + NettyOptions.HELLO_TIMEOUT.name() + ")");
        }
    }

    private void watchIdleIn(long nanos) {
        channel.eventLoop().schedule(this::checkIdle, nanos, TimeUnit.NANOSECONDS);
    }

    private void checkIdle() {
        if (ended || stopping || !channel.isActive()) {
            return;
        }
        long idleNanos = server.options().serverIdleMillis() * 1_000_000;
        if (!calls.isEmpty() || !unsent().isNone() || !held.isEmpty() || decoder.isInsideFrame()) {
            watchIdleIn(idleNanos);
            return;
        }
        long now = nanos();
        long left = idleNanos - Math.min(now - lastReadNanos, now - lastSentNanos);
        if (left > 0) {
            watchIdleIn(left);
        } else {
            go("no request came for " + server.options().serverIdleMillis() + " ms (" + NettyOptions.SERVER_IDLE.name()
                    + ")");
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (ended) {
            in.release();
            return;
        }
        lastReadNanos = nanos();
        frameSinceNanos = lastReadNanos;
        held.add(in);
        flusher.readBegins();
        drain();
    }

    /** Tells the budget how much memory the incomplete frame takes. */
    private void countFrame() {
        long bytes = ended ? 0 : decoder.heldBytes();
        if (bytes == 0 && !isInBudget) {
            return;
        }
        isInBudget = bytes > 0;
        server.budget().holds(this, bytes);
    }

    private void leaveBudget() {
        if (isInBudget) {
            isInBudget = false;
            server.budget().gone(this);
        }
    }

    @Override
    public void evict(String why) {
        channel.eventLoop().execute(() -> end(0, FsError.BUSY, why));
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        flusher.readEnds();
        watchFrame();
    }

    /** Decodes held bytes until a bound is met. */
    private void drain() {
        if (draining) {
            return;
        }
        draining = true;
        try {
            while (!held.isEmpty() && (ended || wantsMore())) {
                ByteBuf in = held.peek();
                decoder.feed(in, reader);
                if (in.isReadable() && !ended) {
                    break;
                }
                held.remove().release();
            }
        } finally {
            draining = false;
        }
        countFrame();
        boolean read = ended || wantsMore();
        if (channel.config().isAutoRead() != read) {
            // While this side did not read, the frame did not stand still.
            watchFrameAnew(nanos());
            channel.config().setAutoRead(read);
        }
    }

    @Override
    public boolean wantsMore() {
        return !ended
                && !stopping
                && calls.size() < server.options().serverInFlight()
                && bytesAtWork < server.options().serverInFlightBytes()
                && regionsBeingSent < server.options().serverInFlight()
                && channel.isWritable();
    }

    @Override
    public void request(Request request) {
        long bytes = request.payload().length() + request.body().getSerializedSize();
        ServerCall call = new ServerCall(this, request, bytes, lastReadNanos);
        server.counters().in(request.kind(), request.header().getStep(), call.isWatching());
        if (calls.containsKey(call.number())) {
            request.payload().release();
            end(call.number(), FsError.BAD_MESSAGE, "call number " + call.number() + " is at work already");
            return;
        }
        calls.put(call.number(), call);
        bytesAtWork += bytes;
        server.load().begun(bytes);
        if (call.isLate()) {
            request.payload().release();
            call.reply(Reply.refused(request.kind(), FsError.CANCELLED, "the deadline had passed on arrival"));
            return;
        }
        try {
            server.handler().handle(call);
        } catch (RuntimeException | Error e) {
            LOG.error("handler of {} from {} failed", request.kind(), peer, e);
            call.replyIfNone(Reply.refused(request.kind(), FsError.FAULT, request.kind() + " failed: " + e));
        }
    }

    @Override
    public void cancel(long number) {
        ServerCall call = calls.get(number);
        if (call != null) {
            call.cancel();
        }
    }

    @Override
    public void refuse(long number, FsError error, String message) {
        server.peerLog().warn(peer, error + ": " + message);
        write(number, refusal(error, message));
    }

    @Override
    public void end(long number, FsError error, String message) {
        if (ended) {
            return;
        }
        server.peerLog().warn(peer, "connection closed: " + error + ": " + message);
        ended = true;
        cancelAll();
        decoder.close();
        leaveBudget();
        closeAfter(number, refusal(error, message));
        if (!draining) {
            releaseHeld();
        }
    }

    /**
     * Ends the connection in order: all requests that were begun are answered, and later bytes are thrown away. So the peer knows that an
     * unanswered request was not executed.
     */
    private void go(String why) {
        LOG.debug("{}: connection ended: {}", peer, why);
        decoder.close();
        leaveBudget();
        closeAfter(0, refusal(FsError.UNAVAILABLE, why));
    }

    private void closeAfter(long number, Reply last) {
        ended = true;
        ByteBuf frame;
        try {
            frame = FrameEncoder.reply(channel.alloc(), number, last.header(), NO_BODY, 0);
        } catch (RuntimeException | Error e) {
            LOG.error("{}: connection closed, its peer cannot be told why", peer, e);
            channel.close();
            return;
        }
        channel.writeAndFlush(frame).addListener(sent -> channel.shutdownOutput());
        channel.config().setAutoRead(true);
        channel.eventLoop().schedule(() -> channel.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
    }

    private static Reply refusal(FsError error, String message) {
        return new Reply(
                error,
                ReplyHeader.newBuilder()
                        .setError(error.code())
                        .setMessage(message)
                        .build(),
                NO_BODY,
                Payload.EMPTY);
    }

    /** While a frame is incomplete, looks at the time of its last byte. */
    private void watchFrame() {
        if (!frameTimerRuns && !ended && decoder.isInsideFrame()) {
            frameTimerRuns = true;
            frame = decoder.framesDone();
            frameBegunNanos = nanos();
            watchFrameIn(server.options().frameTimeoutMillis() * 1_000_000);
        }
    }

    private void watchFrameIn(long nanos) {
        channel.eventLoop().schedule(this::checkFrame, nanos, TimeUnit.NANOSECONDS);
    }

    private void watchFrameAnew(long now) {
        frameSinceNanos = now;
        frameBegunNanos = now;
    }

    private void checkFrame() {
        frameTimerRuns = false;
        if (ended || !channel.isActive() || !decoder.isInsideFrame()) {
            return;
        }
        long timeoutNanos = server.options().frameTimeoutMillis() * 1_000_000;
        long now = nanos();
        if (!channel.config().isAutoRead()) {
            // It is this side that does not read, so the peer is not at fault.
            watchFrameAnew(now);
        } else if (frame != decoder.framesDone()) {
            frame = decoder.framesDone();
            frameBegunNanos = now;
        }
        long leftNanos = frameSinceNanos + timeoutNanos - now;
        if (leftNanos <= 0) {
            end(
                    0,
                    FsError.BAD_MESSAGE,
                    "a frame is incomplete and no byte of it came for "
                            + server.options().frameTimeoutMillis() + " ms (" + NettyOptions.FRAME_TIMEOUT.name()
                            + ")");
            return;
        }
        long patienceNanos = timeoutNanos + decoder.receivedBytes() * 1_000_000_000L / LEAST_BYTES_A_SECOND;
        if (now - frameBegunNanos > patienceNanos) {
            end(
                    0,
                    FsError.BAD_MESSAGE,
                    "of a frame only " + decoder.receivedBytes() + " bytes came in "
                            + (now - frameBegunNanos) / 1_000_000
                            + " ms; after " + server.options().frameTimeoutMillis() + " ms ("
                            + NettyOptions.FRAME_TIMEOUT.name() + ") " + LEAST_BYTES_A_SECOND + " a second must");
            return;
        }
        frameTimerRuns = true;
        watchFrameIn(leftNanos);
    }

    // ---- replying

    /** From any thread: the call has its reply. */
    void replied(ServerCall call) {
        if (channel.eventLoop().inEventLoop()) {
            call.run();
            return;
        }
        try {
            channel.eventLoop().execute(call);
        } catch (RejectedExecutionException e) {
            LOG.debug("reply to {} after its connection's thread ended", peer, e);
            call.dropReply();
        }
    }

    void send(ServerCall call, Reply answer) {
        if (calls.get(call.number()) != call) {
            answer.payload().release();
            return;
        }
        calls.remove(call.number());
        lastSentNanos = nanos();
        call.noteIn(server.counters().recent(), answer.error());
        call.timeIn(server.counters());
        bytesAtWork -= call.bytes();
        server.load().ended(call.bytes());
        try {
            writeChecked(call, answer);
        } catch (RuntimeException | Error e) {
            writeInstead(call, e);
        }
        goOn();
    }

    private void writeChecked(ServerCall call, Reply answer) {
        Optional<String> problem;
        try {
            problem = server.options()
                    .frameLimits()
                    .problem(
                            answer.header().getSerializedSize() + ADDED_TO_HEADER,
                            answer.body().getSerializedSize(),
                            answer.payload().length());
        } catch (RuntimeException | Error e) {
            answer.payload().release();
            throw e;
        }
        if (problem.isPresent()) {
            answer.payload().release();
            LOG.error("reply to {} of {}: {}", call.request().kind(), peer, problem.get());
            write(call.number(), refusal(FsError.TOO_LARGE, "the reply's " + problem.get()));
        } else {
            write(call.number(), answer);
        }
    }

    /** The reply cannot be encoded. The caller gets an error instead, or loses the connection, so that it does not wait for ever. */
    private void writeInstead(ServerCall call, Throwable cause) {
        try {
            LOG.error("reply to {} of {} cannot be encoded", call.request().kind(), peer, cause);
            FsError error = cause instanceof OutOfMemoryError ? FsError.NO_MEMORY : FsError.FAULT;
            write(call.number(), refusal(error, "the reply to " + call.request().kind() + " cannot be sent: " + cause));
        } catch (RuntimeException | Error e) {
            LOG.error("{}: connection closed, a call cannot be answered", peer, e);
            channel.close();
        }
    }

    private void write(long number, Reply answer) {
        Payload payload = answer.payload();
        if (!channel.isActive() || ended) {
            payload.release();
            return;
        }
        ByteBuf frame;
        try {
            frame = FrameEncoder.reply(channel.alloc(), number, answer.header(), answer.body(), (int) payload.length());
        } catch (RuntimeException | Error e) {
            payload.release();
            throw e;
        }
        channel.write(frame, channel.voidPromise());
        if (payload instanceof Payload.Region region) {
            // Netty does not count regions among the unsent bytes, so they are counted here.
            regionsBeingSent++;
            ChannelPromise sent = channel.newPromise();
            sent.addListener(done -> {
                regionsBeingSent--;
                if (done.isSuccess()) {
                    goOn();
                } else {
                    server.peerLog().warn(peer, "connection closed: a region was not sent: " + done.cause());
                    channel.close();
                }
            });
            channel.write(region.region(), sent);
        } else if (payload instanceof Payload.Bytes bytes) {
            if (bytes.buffer().isReadable()) {
                channel.write(bytes.buffer(), channel.voidPromise());
            } else {
                payload.release();
            }
        }
        flusher.written();
        watchUnsent();
    }

    private Unsent unsent() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null
                ? Unsent.NONE
                : new Unsent(buffer.totalPendingWriteBytes(), regionsBeingSent, buffer.currentProgress());
    }

    /** While the peer has not taken all replies, checks whether it takes any. */
    private void watchUnsent() {
        Unsent now = unsent();
        if (now.bytes() > server.options().unsentBytes()) {
            giveUp("its peer has left " + now.bytes() + " bytes of replies unread, and "
                    + NettyOptions.UNSENT_BYTES.name() + " is "
                    + server.options().unsentBytes());
        } else if (!unsentTimerRuns) {
            unsentTimerRuns = true;
            unsentBefore = Unsent.NONE;
            channel.eventLoop()
                    .schedule(this::checkUnsent, server.options().frameTimeoutMillis(), TimeUnit.MILLISECONDS);
        }
    }

    private void checkUnsent() {
        unsentTimerRuns = false;
        Unsent now = unsent();
        if (!channel.isActive() || now.isNone()) {
            return;
        }
        if (now.equals(unsentBefore)) {
            giveUp("its peer took nothing of " + now.bytes() + " bytes and " + now.regions()
                    + " regions of replies for " + server.options().frameTimeoutMillis() + " ms ("
                    + NettyOptions.FRAME_TIMEOUT.name() + ")");
            return;
        }
        unsentTimerRuns = true;
        unsentBefore = now;
        channel.eventLoop().schedule(this::checkUnsent, server.options().frameTimeoutMillis(), TimeUnit.MILLISECONDS);
    }

    /** Closes without a message: a peer that does not read cannot be told. */
    private void giveUp(String why) {
        server.peerLog().warn(peer, "connection closed: " + why);
        channel.close();
    }

    private void goOn() {
        if (stopping) {
            finishStop();
        } else if (!held.isEmpty() || !channel.config().isAutoRead()) {
            drain();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        goOn();
    }

    // ---- ending

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ended = true;
        leaveBudget();
        server.closed(this);
        reader.peerIdentity().ifPresent(peerIdentity -> server.limits().left(address(), peerIdentity));
        cancelAll();
        decoder.close();
        releaseHeld();
        stopped();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.debug("{}: connection lost", peer, cause);
        } else {
            LOG.error("{}: connection closed", peer, cause);
        }
        channel.close();
    }

    /** From any thread: reads no more, closes when the requests at work are answered, and then calls back. */
    void stop(Runnable then) {
        channel.eventLoop().execute(() -> {
            whenStopped = then;
            if (!channel.isActive()) {
                stopped();
                return;
            }
            stopping = true;
            channel.config().setAutoRead(false);
            releaseHeld();
            finishStop();
        });
    }

    /** From any thread: closes the connection at once. */
    void closeNow() {
        channel.close();
    }

    private void finishStop() {
        if (!calls.isEmpty() || !channel.isActive() || ended) {
            return;
        }
        if (unsent().isNone()) {
            go("the server stops");
        } else if (!waitsForSent) {
            // Replies must be sent before the connection closes. This empty write comes after all of them. The next
            // look happens when the empty write no longer counts as unsent itself.
            waitsForSent = true;
            channel.writeAndFlush(Unpooled.EMPTY_BUFFER)
                    .addListener(sent -> channel.eventLoop().execute(() -> {
                        waitsForSent = false;
                        finishStop();
                    }));
        }
    }

    private void stopped() {
        Runnable then = whenStopped;
        if (then != null) {
            whenStopped = null;
            then.run();
        }
    }

    private void cancelAll() {
        for (ServerCall call : calls.values()) {
            call.cancel();
            server.load().ended(call.bytes());
        }
        calls.clear();
        bytesAtWork = 0;
    }

    private void releaseHeld() {
        for (ByteBuf buffer : held) {
            buffer.release();
        }
        held.clear();
    }
}
