package io.steadfs.rpc.netty;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.steadfs.error.FsError;
import io.steadfs.hello.HelloAnswerer;
import io.steadfs.hello.PeerIdentity;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.RequestReader;
import io.steadfs.wire.FrameDecoder;
import io.steadfs.wire.FrameEncoder;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A server's end of one connection, from accept to close. Any thread may call {@link #replied}, {@link #stop},
 * {@link #closeNow} and {@link #evict}: these methods hand over to the channel's event loop. Everything else belongs to
 * the event loop. Other classes do parts of the work, on the same event loop:
 *
 * <ul>
 * <li>{@link ServerGreeting}: learns who the peer is.
 * <li>{@link Intake}: decodes received bytes, and stops reading at a limit. {@link FrameWatch}: ends the connection if
 * a frame comes too slowly.
 * <li>{@link WorkingCalls}: the requests at work.
 * <li>{@link ReplyWriter}: writes replies. {@link UnsentReplies}: counts the replies that the peer has not taken.
 * </ul>
 *
 * <p>A connection is open, then ended, then closed. Three events end a connection: a refusal after which the stream
 * cannot be decoded, an idle time, or a stop of the server. An ended connection has sent its last answer and closed its
 * sending side. An ended connection goes on reading for a moment, and throws the bytes away. If the server closed a
 * connection with unread bytes, the kernel would reset the connection. Because of a reset, the peer might not receive
 * the last answer.
 */
// The outcome of a write or close comes as an event of the channel.
@SuppressWarnings("FutureReturnValueIgnored")
final class ServerConnection extends ChannelInboundHandlerAdapter
        implements RequestReader.Receiver, FrameBudget.Holder {
    private static final Logger LOG = LoggerFactory.getLogger(ServerConnection.class);
    /** How long an ended connection goes on reading, in milliseconds. */
    private static final long LINGER_MILLIS = 1_000;

    private final NettyServer server;
    private final DuplexChannel channel;
    private final InetSocketAddress address;
    private final String peer;
    private final ServerGreeting reader;
    private final WorkingCalls working;
    private final LoneRequests loneRequests = new LoneRequests();
    private final UnsentReplies unsent;
    private final ReplyWriter replies;
    private final FrameWatch frames;
    private final Intake intake;

    private long lastReadNanos;
    private long lastSentNanos;
    private boolean ended;
    private boolean stopping;
    /** Whether a stopping connection waits until all written bytes are sent. */
    private boolean waitsForSent;

    private @Nullable Runnable whenStopped;

    ServerConnection(NettyServer server, DuplexChannel channel, InetSocketAddress address) {
        this.server = server;
        this.channel = channel;
        this.address = address;
        this.peer = address.getAddress().getHostAddress() + ":" + address.getPort();
        NettyOptions options = server.options();
        FrameDecoder decoder = new FrameDecoder(options.frameLimits(), channel.alloc());
        this.working = new WorkingCalls(options, server.load());
        this.unsent = new UnsentReplies(this, channel, options);
        this.replies = new ReplyWriter(this, channel, options, unsent);
        this.reader = new ServerGreeting(new HelloAnswerer(server.welcome()), this::admit, this, replies::hello);
        this.frames = new FrameWatch(this, channel, decoder, options);
        this.intake = new Intake(this, channel, decoder, reader, frames, server.budget());
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

    /** Whether the peer came by the server's socket file, and so has no port. */
    private boolean isByFile() {
        return address.getPort() == 0;
    }

    /** Address and port of the peer, or that the peer came by the socket file, for people. */
    String peer() {
        return isByFile() ? NettyServer.BY_FILE + ", connection " + reader.number() : peer;
    }

    /** Port of the peer. If the connection has no ports: the number that the peer gave the connection. */
    int peerPort() {
        return isByFile() ? reader.number() : address.getPort();
    }

    /** Identity of the peer. No request comes before the identity is certain. */
    PeerIdentity peerIdentity() {
        return reader.peerIdentity().orElseThrow(() -> new IllegalStateException(peer() + " said no HELLO"));
    }

    long nanos() {
        return server.clock().monotonicNanos();
    }

    /** Whether the connection has sent its last answer, or is closed. */
    boolean isEnded() {
        return ended;
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
        if (!working.isEmpty() || !unsent.isNone() || !intake.isEmpty()) {
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
        frames.bytesCame(lastReadNanos);
        replies.readBegins();
        intake.take(in);
    }

    @Override
    public void evict(String why) {
        channel.eventLoop().execute(() -> end(0, FsError.BUSY, why));
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        replies.readEnds();
        frames.begin();
    }

    @Override
    public boolean wantsMore() {
        return !ended && !stopping && !working.isFull() && !unsent.isFull() && channel.isWritable();
    }

    @Override
    public void request(Request request) {
        long bytes = request.payload().length() + request.body().getSerializedSize();
        ServerCall call = new ServerCall(this, request, bytes, lastReadNanos);
        server.lastSender().requestCame(this, lastReadNanos);
        server.counters().in(request.kind(), request.header().getStep(), call.isWatching());
        if (working.get(call.number()) != null) {
            request.payload().release();
            end(call.number(), FsError.BAD_MESSAGE, "call number " + call.number() + " is at work already");
            return;
        }
        loneRequests.came(working.isEmpty() && !intake.hasMore(), lastReadNanos, lastSentNanos);
        working.add(call);
        if (call.isLate()) {
            request.payload().release();
            call.reply(Reply.refused(request.kind(), FsError.CANCELLED, "the deadline had passed on arrival"));
            return;
        }
        try {
            server.handler().handle(call);
        } catch (RuntimeException | Error e) {
            LOG.error("handler of {} from {} failed", request.kind(), peer(), e);
            call.replyIfNone(Reply.refused(request.kind(), FsError.FAULT, request.kind() + " failed: " + e));
        }
    }

    /**
     * Whether this is the event loop, requests of this connection come one at a time, and for some time no other
     * connection has sent a request. May be called from any thread.
     */
    boolean isAlone() {
        return isOnItsThread() && loneRequests.areLone() && server.lastSender().isAlone(this, lastReadNanos);
    }

    /** Whether the calling thread is the event loop. May be called from any thread. */
    boolean isOnItsThread() {
        return channel.eventLoop().inEventLoop();
    }

    @Override
    public void cancel(long number) {
        ServerCall call = working.get(number);
        if (call != null) {
            call.cancel();
        }
    }

    @Override
    public void refuse(long number, FsError error, String message) {
        server.peerLog().warn(peer(), error + ": " + message);
        replies.write(number, ReplyWriter.refusal(error, message));
    }

    @Override
    public void end(long number, FsError error, String message) {
        if (ended) {
            return;
        }
        server.peerLog().warn(peer(), "connection closed: " + error + ": " + message);
        ended = true;
        working.cancelAll();
        intake.end();
        closeAfter(number, ReplyWriter.refusal(error, message));
        intake.releaseUnlessDraining();
    }

    /**
     * Ends the connection in order. All requests that the server began are answered, and later bytes are thrown away.
     * So the peer knows that the server did not execute an unanswered request.
     */
    private void go(String why) {
        LOG.debug("{}: connection ended: {}", peer(), why);
        intake.end();
        closeAfter(0, ReplyWriter.refusal(FsError.UNAVAILABLE, why));
    }

    private void closeAfter(long number, Reply last) {
        ended = true;
        ByteBuf frame;
        try {
            frame = FrameEncoder.reply(channel.alloc(), number, last.header(), last.body(), 0);
        } catch (RuntimeException | Error e) {
            LOG.error("{}: connection closed, its peer cannot be told why", peer(), e);
            channel.close();
            return;
        }
        writeNow(frame).addListener(sent -> channel.shutdownOutput());
        channel.config().setAutoRead(true);
        channel.eventLoop().schedule(() -> channel.close(), LINGER_MILLIS, TimeUnit.MILLISECONDS);
    }

    private ChannelFuture writeNow(ByteBuf frame) {
        ChannelPromise sent = channel.newPromise();
        unsent.write(frame, sent);
        channel.flush();
        return sent;
    }

    // ---- replying

    /** Sends the reply that the call now has. May be called from any thread. */
    void replied(ServerCall call) {
        if (isOnItsThread()) {
            call.run();
            return;
        }
        try {
            channel.eventLoop().execute(call);
        } catch (RejectedExecutionException e) {
            LOG.debug("reply to {} after its connection's thread ended", peer(), e);
            call.dropReply();
        }
    }

    void send(ServerCall call, Reply answer) {
        if (working.get(call.number()) != call) {
            answer.payload().release();
            return;
        }
        lastSentNanos = nanos();
        try {
            call.noteIn(server.counters().recent(), answer.error());
            call.timeIn(server.counters());
        } finally {
            working.remove(call);
        }
        replies.answer(call, answer);
        goOn();
    }

    /** Closes the connection without a message, because the peer does not read. */
    void giveUp(String why) {
        server.peerLog().warn(peer(), "connection closed: " + why);
        channel.close();
    }

    /**
     * Goes on reading. If the connection is stopping, goes on stopping instead. To be called when requests were
     * answered or bytes were sent.
     */
    void goOn() {
        if (stopping) {
            finishStop();
        } else {
            intake.goOn();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        // If the channel is not writable any more, a write is under way. Nothing was sent, and a stop must not flush
        // now.
        if (channel.isWritable()) {
            goOn();
        }
    }

    // ---- ending

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        ended = true;
        intake.leaveBudget();
        // First: a connection that the server no longer counts as open leaves room for the next one.
        reader.peerIdentity().ifPresent(peerIdentity -> server.limits().left(address(), peerIdentity));
        server.closed(this);
        working.cancelAll();
        intake.end();
        intake.release();
        stopped();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (cause instanceof IOException) {
            LOG.debug("{}: connection lost", peer(), cause);
        } else {
            LOG.error("{}: connection closed", peer(), cause);
        }
        channel.close();
    }

    /**
     * Stops reading. Closes the connection after the requests at work are answered, and then runs the task. May be
     * called from any thread.
     */
    void stop(Runnable then) {
        channel.eventLoop().execute(() -> {
            whenStopped = then;
            if (!channel.isActive()) {
                stopped();
                return;
            }
            stopping = true;
            channel.config().setAutoRead(false);
            intake.release();
            finishStop();
        });
    }

    /** Closes the connection at once. May be called from any thread. */
    void closeNow() {
        channel.close();
    }

    private void finishStop() {
        if (!working.isEmpty() || !channel.isActive() || ended) {
            return;
        }
        if (unsent.isNone()) {
            go("the server stops");
        } else if (!waitsForSent) {
            // Replies must be sent before the connection closes. The empty write comes after all replies. After the
            // empty write is sent, this method runs again.
            waitsForSent = true;
            writeNow(Unpooled.EMPTY_BUFFER)
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
}
