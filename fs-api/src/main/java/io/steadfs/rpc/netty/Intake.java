package io.steadfs.rpc.netty;

import io.netty.buffer.ByteBuf;
import io.netty.channel.socket.SocketChannel;
import io.steadfs.wire.FrameDecoder;
import java.util.ArrayDeque;

/**
 * Decodes the bytes that one connection of a server receives, while the connection wants more frames. At other times,
 * received bytes are held and the socket is not read. Belongs to the channel's event loop.
 */
final class Intake {
    private final ServerConnection connection;
    private final SocketChannel channel;
    private final FrameDecoder decoder;
    private final FrameDecoder.Sink sink;
    private final FrameWatch watch;
    private final FrameBudget budget;

    /**
     * Received bytes that are not decoded yet, because the connection has reached a limit. The held bytes come from at
     * most one read of the socket.
     */
    private final ArrayDeque<ByteBuf> held = new ArrayDeque<>();

    /** Whether the decoder is at work. The handler of a decoded frame may call this object again. */
    private boolean draining;
    /** Whether the budget counts a frame of this connection. */
    private boolean isInBudget;

    Intake(
            ServerConnection connection,
            SocketChannel channel,
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

    /** Takes ownership of received bytes. */
    void take(ByteBuf in) {
        held.add(in);
        drain();
    }

    /**
     * Continues decoding at the place where decoding has stopped. Must be called whenever the connection may want more
     * frames again.
     */
    void goOn() {
        if (!held.isEmpty() || !channel.config().isAutoRead()) {
            drain();
        }
    }

    /** Decodes held bytes until the connection reaches a limit. */
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
            // While the server did not read, the peer was not at fault.
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

    /** Removes the incomplete frame of this connection from the budget. */
    void leaveBudget() {
        if (isInBudget) {
            isInBudget = false;
            budget.gone(connection);
        }
    }

    /** Stops decoding. Bytes that come later are discarded. */
    void end() {
        decoder.close();
        leaveBudget();
    }

    /**
     * Releases the held bytes, if the decoder is not at work. A decoder at work releases the held bytes at the end of
     * its work.
     */
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
