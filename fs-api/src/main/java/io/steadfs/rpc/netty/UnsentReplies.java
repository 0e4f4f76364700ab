package io.steadfs.rpc.netty;

import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.socket.DuplexChannel;
import java.util.concurrent.TimeUnit;

/**
 * The replies that a peer has not taken yet. A peer loses its connection if it takes nothing for
 * {@code stead.rpc.frame.timeout} while replies are unsent. A peer also loses its connection if more than
 * {@code stead.rpc.connection.unsent.bytes} bytes are unsent. Belongs to the channel's event loop.
 */
final class UnsentReplies {
    private final ServerConnection connection;
    private final DuplexChannel channel;
    private final NettyOptions options;

    /** Number of unsent replies whose payload is a region of a file. Netty does not count the bytes of such regions. */
    private int regions;

    /** The unsent part of the replies at the last check. */
    private Part before = Part.NONE;

    private boolean timerRuns;

    /**
     * The unsent part of the replies at one time. If two parts are equal, the peer took nothing between their times,
     * and no reply was added.
     */
    private record Part(long bytes, int regions, long progress) {
        static final Part NONE = new Part(0, 0, 0);

        boolean isNone() {
            return bytes == 0 && regions == 0;
        }
    }

    UnsentReplies(ServerConnection connection, DuplexChannel channel, NettyOptions options) {
        this.connection = connection;
        this.channel = channel;
        this.options = options;
    }

    /** Whether the peer has taken all replies. */
    boolean isNone() {
        return now().isNone();
    }

    /** Whether so many file regions are unsent that no further request may be read. */
    boolean isFull() {
        return regions >= options.serverInFlight();
    }

    /** Notes that a region of a file is about to be written. */
    void regionBegun() {
        regions++;
    }

    /** Notes that a region of a file was sent, or cannot be sent. */
    void regionEnded() {
        regions--;
    }

    private Part now() {
        ChannelOutboundBuffer buffer = channel.unsafe().outboundBuffer();
        return buffer == null
                ? Part.NONE
                : new Part(buffer.totalPendingWriteBytes(), regions, buffer.currentProgress());
    }

    /** Checks whether the peer takes bytes, as long as replies are unsent. To be called after each write. */
    void watch() {
        Part now = now();
        if (now.bytes() > options.unsentBytes()) {
            connection.giveUp("its peer has left " + now.bytes() + " bytes of replies unread, and "
                    + NettyOptions.UNSENT_BYTES.name() + " is " + options.unsentBytes());
        } else if (!timerRuns) {
            before = Part.NONE;
            checkLater();
        }
    }

    private void checkLater() {
        timerRuns = true;
        var unused = channel.eventLoop().schedule(this::check, options.frameTimeoutMillis(), TimeUnit.MILLISECONDS);
    }

    private void check() {
        timerRuns = false;
        Part now = now();
        if (!channel.isActive() || now.isNone()) {
            return;
        }
        if (now.equals(before)) {
            connection.giveUp("its peer took nothing of " + now.bytes() + " bytes and " + now.regions()
                    + " regions of replies for " + options.frameTimeoutMillis() + " ms ("
                    + NettyOptions.FRAME_TIMEOUT.name() + ")");
            return;
        }
        before = now;
        checkLater();
    }
}
