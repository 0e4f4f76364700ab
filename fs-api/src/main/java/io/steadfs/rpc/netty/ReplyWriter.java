package io.steadfs.rpc.netty;

import com.google.protobuf.MessageLite;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelPromise;
import io.netty.channel.socket.DuplexChannel;
import io.steadfs.error.FsError;
import io.steadfs.rpc.Payload;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.FrameEncoder;
import io.steadfs.wire.proto.Hello;
import io.steadfs.wire.proto.ReplyHeader;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the replies of one connection of a server. If a reply cannot be sent, the writer sends an error instead. So no
 * caller waits for ever. {@link FlushLater} flushes many replies at once. The writer belongs to the channel's event
 * loop.
 */
// The outcome of a write or close comes as an event of the channel.
@SuppressWarnings("FutureReturnValueIgnored")
final class ReplyWriter {
    private static final Logger LOG = LoggerFactory.getLogger(ReplyWriter.class);
    private static final MessageLite NO_BODY = ReplyHeader.getDefaultInstance();
    /** Largest number of bytes that the encoder adds to a reply's header. */
    private static final int ADDED_TO_HEADER = 12;

    private final ServerConnection connection;
    private final DuplexChannel channel;
    private final NettyOptions options;
    private final UnsentReplies unsent;
    private final FlushLater flusher;

    ReplyWriter(ServerConnection connection, DuplexChannel channel, NettyOptions options, UnsentReplies unsent) {
        this.connection = connection;
        this.channel = channel;
        this.options = options;
        this.unsent = unsent;
        this.flusher = new FlushLater(channel);
    }

    /**
     * Notes that a read of the socket begins. Replies that are written during the read are flushed at the end of the
     * read.
     */
    void readBegins() {
        flusher.readBegins();
    }

    void readEnds() {
        flusher.readEnds();
    }

    void hello(Hello hello) {
        unsent.write(FrameEncoder.hello(channel.alloc(), hello), channel.voidPromise());
        written();
    }

    /** Makes a reply that says what is wrong, without a body and a payload. */
    static Reply refusal(FsError error, String message) {
        return new Reply(
                error,
                ReplyHeader.newBuilder()
                        .setError(error.code())
                        .setMessage(message)
                        .build(),
                NO_BODY,
                Payload.EMPTY);
    }

    /**
     * Answers the call, with an error if the reply is too large or cannot be encoded. Takes over the reply's payload.
     */
    void answer(ServerCall call, Reply answer) {
        try {
            writeChecked(call, answer);
        } catch (RuntimeException | Error e) {
            writeInstead(call, e);
        }
    }

    private void writeChecked(ServerCall call, Reply answer) {
        Optional<String> problem;
        try {
            problem = options.frameLimits()
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
            LOG.error("reply to {} of {}: {}", call.request().kind(), connection.peer(), problem.get());
            write(call.number(), refusal(FsError.TOO_LARGE, "the reply's " + problem.get()));
        } else {
            write(call.number(), answer);
        }
    }

    /**
     * Sends an error because the reply cannot be encoded. If the error cannot be sent either, closes the connection.
     */
    private void writeInstead(ServerCall call, Throwable cause) {
        try {
            LOG.error("reply to {} of {} cannot be encoded", call.request().kind(), connection.peer(), cause);
            FsError error = cause instanceof OutOfMemoryError ? FsError.NO_MEMORY : FsError.FAULT;
            write(call.number(), refusal(error, "the reply to " + call.request().kind() + " cannot be sent: " + cause));
        } catch (RuntimeException | Error e) {
            LOG.error("{}: connection closed, a call cannot be answered", connection.peer(), e);
            channel.close();
        }
    }

    /** Writes a reply to the call with this number. On an ended connection, only releases the reply's payload. */
    void write(long number, Reply answer) {
        Payload payload = answer.payload();
        if (!channel.isActive() || connection.isEnded()) {
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
        unsent.write(frame, channel.voidPromise());
        if (payload instanceof Payload.Region region) {
            write(region);
        } else if (payload instanceof Payload.Bytes bytes) {
            if (bytes.buffer().isReadable()) {
                unsent.write(bytes.buffer(), channel.voidPromise());
            } else {
                payload.release();
            }
        }
        written();
    }

    private void write(Payload.Region region) {
        unsent.regionBegun();
        ChannelPromise sent = channel.newPromise();
        sent.addListener(done -> {
            unsent.regionEnded();
            if (done.isSuccess()) {
                connection.goOn();
            } else {
                connection.giveUp("a region was not sent: " + done.cause());
            }
        });
        unsent.write(region.region(), sent);
    }

    private void written() {
        flusher.written();
        unsent.watch();
    }
}
