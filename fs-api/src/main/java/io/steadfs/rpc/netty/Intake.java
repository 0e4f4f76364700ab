package io.steadfs.rpc.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.socket.DuplexChannel;
import io.steadfs.wire.FrameDecoder;
import java.util.ArrayDeque;

/**
 * Decodes the bytes that one connection of a server receives, as long as the connection wants more requests. If the
 * connection wants no more, the intake holds the remaining bytes. Then the socket is not read until the connection
 * wants more. The intake belongs to the channel's event loop.
 */
final class Intake {
    private final ServerConnection connection;
    private final DuplexChannel channel;
    private final FrameDecoder decoder;
    private final FrameDecoder.Sink sink;
    private final FrameWatch watch;
    private final FrameBudget budget;

    /**
     * Received bytes that are not decoded yet because the connection wants no more requests. At most the bytes of one
     * read of the socket.
     */
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>();

    /** Whether the decoder is at work. A decoded request may call this object again. */
    private boolean draining;
    /** Whether the {@link FrameBudget} counts a frame of this connection. */
    private boolean isInBudget;

    Intake(
            ServerConnection connection,
            DuplexChannel channel,
            FrameDecoder decoder,
            FrameDecoder.Sink sink,
            FrameWatch watch,
            FrameBudget budget) {
        this.connection = connection;
        this.channel = channel;
        this.decoder = decoder;
        this.sink = sink;
        this.watch = watch;
        this.budget = budget;
    }

    /** Whether no bytes are held and no frame has begun. */
    boolean isEmpty() {
        return held.isEmpty() && !decoder.isInsideFrame();
    }

    /** Whether more bytes were received than those of the request that is being handed over. */
    boolean hasMore() {
        ByteBuf in = held.peek();
        return in != null && (in.isReadable() || held.size() > 1);
    }

    /** Takes over received bytes, and decodes them as far as the connection wants. */
    void take(ByteBuf in) {
        held.add(in);
        drain();
    }

    /** Goes on decoding. To be called when the connection may want more. */
    void goOn() {
        if (!held.isEmpty() || !channel.config().isAutoRead()) {
            drain();
        }
    }

    /** Decodes held bytes until the connection wants no more requests. */
    private void drain() {
        if (draining) {
            return;
        }
        draining = true;
        try {
            while (!held.isEmpty() && (connection.isEnded() || connection.wantsMore())) {
                ByteBuf in = held.peek();
                decoder.feed(in, sink);
                if (in.isReadable() && !connection.isEnded()) {
                    break;
                }
                held.remove().release();
            }
        } finally {
            draining = false;
        }
        countFrame();
        boolean read = connection.isEnded() || connection.wantsMore();
        if (channel.config().isAutoRead() != read) {
            // The peer is not at fault for the time in which this server did not read.
            watch.anew(connection.nanos());
            channel.config().setAutoRead(read);
        }
    }

    /** Tells the budget how much memory the incomplete frame takes. */
    private void countFrame() {
        long bytes = connection.isEnded() ? 0 : decoder.heldBytes();
        if (bytes == 0 && !isInBudget) {
            return;
        }
        isInBudget = bytes > 0;
        budget.holds(connection, bytes);
    }

    /** Tells the budget that this connection has no incomplete frame any more. */
    void leaveBudget() {
        if (isInBudget) {
            isInBudget = false;
            budget.gone(connection);
        }
    }

    /** Stops decoding. Bytes that come later are thrown away. */
    void end() {
        decoder.close();
        leaveBudget();
    }

    /** Releases the held bytes. If decoding is under way, the decoding loop releases the bytes at its end. */
    void releaseUnlessDraining() {
        if (!draining) {
            release();
        }
    }

    /** Releases the held bytes. */
    void release() {
        for (ByteBuf buffer : held) {
            buffer.release();
        }
        held.clear();
    }
}
