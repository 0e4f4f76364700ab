package io.steadfs.rpc.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.steadfs.error.FsError;
import io.steadfs.hello.HelloOpener;
import io.steadfs.hello.PeerName;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.rpc.ReplyReader;
import io.steadfs.rpc.Request;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.time.Clock;
import io.steadfs.wire.FrameDecoder;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.Hello;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The life of one connection of a client, from HELLO to its loss. Until HELLO is answered, the link belongs to an
 * attempt of the {@link Connector}. After that, the link sends the calls of its {@link ClientConnection}. If the
 * connection is lost, the link fails the calls that have no answer. The link, its channel and its
 * {@link ClientConnection} belong to the same event loop.
 */
final class ClientLink extends ChannelInboundHandlerAdapter implements ReplyReader.Receiver {
    private static final Logger LOG = LoggerFactory.getLogger(ClientLink.class);

    private final ClientConnection connection;
    private final Connector connector;
    private final ReconnectPause pause;
    private final ServerAddress server;
    private final NettyOptions options;
    private final Clock clock;
    private final HelloOpener opener;
    private final ClientGreeting reader;
    private final PeerName meant;
    private final int connectionNumber;
    private final SentCalls sent = new SentCalls();

    /** Whether HELLO was sent and is not answered yet. */
    private boolean greeting;

    private boolean over;
    /** Whether the connection ends without an error. */
    private boolean inOrder;

    private @Nullable PeerName wrong;
    private @Nullable RequestWriter writer;
    private @Nullable FrameDecoder decoder;
    private FsError lossError = FsError.CONNECTION_LOST;
    private String lossMessage = "the connection was closed without an answer";
    /** Whether the server has answered a call on this connection. */
    private boolean answered;
    /** Whether any byte came on this connection. */
    private boolean received;

    private long lastReadNanos;

    /** @param connectionNumber number of a connection without ports, in place of a port; 0 = the connection has ports */
    ClientLink(ClientConnection connection, Connector connector, PeerName meant, int connectionNumber) {
        this.connection = connection;
        this.connector = connector;
        this.pause = connection.pause();
        this.server = connection.server();
        this.options = connection.options();
        this.clock = connection.clock();
        this.meant = meant;
        this.connectionNumber = connectionNumber;
        opener = new HelloOpener(connection.introduction(), meant, connectionNumber);
        reader = new ClientGreeting(opener, this, this::greeted);
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        writer = new RequestWriter(context.channel());
        FrameDecoder frames = new FrameDecoder(options.frameLimits(), context.alloc());
        decoder = frames;
        context.channel().config().setRecvByteBufAllocator(new FrameReads(frames));
    }

    // ---- HELLO

    /** Sends HELLO. If no answer comes within the connect timeout, the attempt fails. */
    void greet() {
        RequestWriter to = writer;
        if (to == null) {
            throw new IllegalStateException("the channel was not prepared");
        }
        greeting = true;
        ByteBuf hello;
        try {
            hello = to.frame(opener.first());
        } catch (RuntimeException | Error e) {
            close("HELLO cannot be encoded: " + e);
            return;
        }
        to.writeNow(hello);
        int patience = options.connectTimeoutMillis();
        var unused = connection.loop().schedule(() -> endUnlessGreeted(patience), patience, TimeUnit.MILLISECONDS);
    }

    private void endUnlessGreeted(int patience) {
        if (greeting) {
            close("no answer to HELLO within " + patience + " ms");
        }
    }

    private void greeted(PeerName unused, Optional<Hello> proof) {
        RequestWriter to = writer;
        if (to != null && proof.isPresent()) {
            to.proof(proof.get());
        }
        greeting = false;
        connector.connected(this);
    }

    // ---- calls

    boolean isOpen() {
        RequestWriter to = writer;
        return to != null && to.isOpen();
    }

    /** What was written and the socket has not taken. */
    Unsent unsent() {
        RequestWriter to = writer;
        return to == null ? Unsent.NONE : to.unsent();
    }

    /** The calls on this connection that the server has not answered yet. */
    SentCalls sent() {
        return sent;
    }

    /** Writes the call, or refuses the call. A call that this method refuses was not written. */
    void write(ClientCall call) {
        RequestWriter to = writer;
        if (to == null || !to.isOpen()) {
            connection.refuseUnsent(call, FsError.UNREACHABLE, lossMessage);
            return;
        }
        if (!reader.fits(call.meant())) {
            connection.refuseUnsent(
                    call,
                    FsError.UNREACHABLE,
                    reader.answered().map(PeerName::toString).orElse("nobody") + " answers; " + call.meant()
                            + " was meant");
            return;
        }
        long now = clock.monotonicNanos();
        long leftMillis = (call.deadlineNanos() - now + 999_999) / 1_000_000;
        if (leftMillis <= 0) {
            connection.refuseUnsent(call, FsError.UNREACHABLE, "no connection within " + call.timeoutMillis() + " ms");
            return;
        }
        Request request = call.request();
        Payload payload = request.payload();
        long number = connection.nextNumber();
        ByteBuf frame;
        try {
            frame = to.frame(request, number, leftMillis);
        } catch (OutOfMemoryError e) {
            ClientConnection.drop(call);
            call.refuse(
                    FsError.BUSY,
                    "no memory to send " + request.kind() + " (-XX:MaxDirectMemorySize, -Xmx): " + e.getMessage());
            return;
        } catch (RuntimeException | Error e) {
            ClientConnection.drop(call);
            call.refuse(FsError.FAULT, request.kind() + " cannot be encoded: " + e);
            return;
        }
        connection.use(number);
        call.sentAs(number, connectionNumber == 0 ? to.port() : connectionNumber, now);
        sent.add(call);
        connection.sent(call);
        to.write(frame, payload);
    }

    /** Tells the server that the caller cancelled the call. The call keeps its place until the server answers. */
    void takeBack(ClientCall call) {
        if (sent.giveUp(call)) {
            connection.note(call, FsError.CANCELLED);
            cancel(call);
        }
    }

    /** Ends the calls of one client. */
    void leave(TransportShare share) {
        List<ClientCall> all = new ArrayList<>();
        sent.addWaitedFor(all);
        for (ClientCall call : all) {
            if (call.share() == share && sent.giveUp(call)) {
                cancel(call);
                call.refuse(FsError.CONNECTION_LOST, server + ": the transport was closed");
            }
        }
    }

    private void cancel(ClientCall call) {
        RequestWriter to = writer;
        if (to != null) {
            to.cancel(call.number(), server);
        }
    }

    // ---- what comes

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
            RequestWriter to = writer;
            FrameDecoder frames = decoder;
            if (to != null && frames != null) {
                to.readBegins();
                frames.feed(in, reader);
            }
        } finally {
            in.release();
        }
    }

    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        RequestWriter to = writer;
        if (to != null) {
            to.readEnds();
        }
    }

    @Override
    public Optional<Kind> kindOf(long number) {
        return sent.kindOf(number);
    }

    @Override
    public void reply(long number, Reply reply) {
        ClientCall call = sent.remove(number);
        if (call == null) {
            reply.payload().release();
            return;
        }
        connection.finished(call);
        if (!answered) {
            answered = true;
            lossMessage = "the connection ended";
        }
        pause.answered();
        sent.answer(call, reply);
        connection.settled();
    }

    // ---- the end

    @Override
    public void end(FsError error, String message) {
        if (error == FsError.UNAVAILABLE) {
            // This end is in order: the server says that it did not execute the unanswered calls.
            LOG.debug("{}: connection ended by the server: {}", server, message);
            lossError = error;
            endInOrder(message);
            return;
        }
        if (!pause.hasFailures()) {
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

    /**
     * Closes the connection if a call that timed out was sent long ago and no byte came after that. The next call then
     * gets a new connection. To be called when a call has timed out.
     *
     * <p>A call that was sent before the last byte came does not prove that the connection is silent. The server may be
     * slow with that call only.
     */
    void closeIfSilent(long now) {
        long silentNanos = sent.silentNanos(now, received, lastReadNanos);
        if (silentNanos >= options.frameTimeoutMillis() * 1_000_000) {
            close("nothing came for " + silentNanos / 1_000_000 + " ms");
        }
    }

    /** Ends a connection on which there was no error. */
    void endInOrder(String why) {
        inOrder = true;
        close(why);
    }

    /** Closes the connection. The callers of unanswered calls get the reason. */
    void close(String why) {
        lossMessage = why;
        RequestWriter to = writer;
        if (to != null) {
            to.close();
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LOG.debug("{}: connection closed", server, cause);
        if (cause instanceof OutOfMemoryError) {
            // There was no memory for some received bytes. Without these bytes, the rest of the stream cannot be
            // decoded.
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

    /** Handles the end of the connection. Further calls of this method do nothing. */
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
            connector.failed(
                    lossError == FsError.CONNECTION_LOST ? FsError.UNREACHABLE : lossError, lossMessage, wrong);
            return;
        }
        if (!connection.forget(this)) {
            return;
        }
        if (!answered && !inOrder) {
            pause.failed(FsError.UNREACHABLE, lossMessage, null);
        }
        List<ClientCall> lost = sent.removeAll();
        lost.forEach(connection::finished);
        for (ClientCall call : lost) {
            if (!call.isOver()) {
                call.giveBack();
                call.refuse(lossError, server + ": " + lossMessage);
            }
        }
        connection.connectIfWanted();
    }
}
