package io.steadfs.rpc.netty;

import io.netty.channel.ChannelPromise;
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

    /** Bytes of all replies that were ever written, as {@link Unsent} counts bytes. */
    private long writtenBytes;

    /** What the peer had taken at the last check. */
    private Taken before = Taken.UNKNOWN;

    private boolean timerRuns;

    /**
     * What the peer has taken of all replies that were ever written. If two values are equal, the peer took nothing
     * between their times, whatever was written between them.
     *
     * @param bytes bytes of the messages that were sent to the end. Each message has some, even a region of a file
     * @param progress bytes that were sent of the message after these
     */
    private record Taken(long bytes, long progress) {
        static final Taken UNKNOWN = new Taken(-1, 0);
    }

    UnsentReplies(ServerConnection connection, DuplexChannel channel, NettyOptions options) {
        this.connection = connection;
        this.channel = channel;
        this.options = options;
    }

    /** Whether the peer has taken all replies. */
    boolean isNone() {
        return Unsent.of(channel).isNone() && regions == 0;
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

    /**
     * Writes a reply or a part of one. Everything that is written to the channel must be written here, and nothing may
     * be flushed during a write. Otherwise {@link Taken} is wrong.
     */
    void write(Object message, ChannelPromise promise) {
        long unsentBytes = Unsent.of(channel).bytes();
        var unused = channel.write(message, promise);
        writtenBytes += Unsent.of(channel).bytes() - unsentBytes;
    }

    /** Checks whether the peer takes bytes, as long as replies are unsent. To be called after each reply. */
    void watch() {
        Unsent now = Unsent.of(channel);
        if (now.bytes() > options.unsentBytes()) {
            connection.giveUp("its peer has left " + now.bytes() + " bytes of replies unread, and "
                    + NettyOptions.UNSENT_BYTES.name() + " is " + options.unsentBytes());
        } else if (!timerRuns) {
            before = Taken.UNKNOWN;
            checkLater();
        }
    }

    private void checkLater() {
        timerRuns = true;
        var unused = channel.eventLoop().schedule(this::check, options.frameTimeoutMillis(), TimeUnit.MILLISECONDS);
    }

    private void check() {
        timerRuns = false;
        if (!channel.isActive() || isNone()) {
            return;
        }
        Unsent now = Unsent.of(channel);
        Taken taken = new Taken(writtenBytes - now.bytes(), now.progress());
        if (taken.equals(before)) {
            connection.giveUp("its peer took nothing of " + now.bytes() + " bytes and " + regions
                    + " regions of replies for " + options.frameTimeoutMillis() + " ms ("
                    + NettyOptions.FRAME_TIMEOUT.name() + ")");
            return;
        }
        before = taken;
        checkLater();
    }
}
