package io.steadfs.rpc.netty;

import io.netty.channel.socket.SocketChannel;
import io.steadfs.error.FsError;
import io.steadfs.wire.FrameDecoder;
import java.util.concurrent.TimeUnit;

/**
 * Ends the connection of a peer that sends a frame too slowly. Between two bytes of a frame, at most the time of {@code
 * stead.rpc.frame.timeout} may pass. A whole frame may take the same time, and one second more for each {@value
 * #LEAST_BYTES_A_SECOND} bytes. The time in which the server does not read is not counted. Belongs to the channel's
 * event loop.
 */
final class FrameWatch {
    /**
     * The slowest allowed average rate of a frame, in bytes a second. The time of {@code stead.rpc.frame.timeout} is
     * granted in addition.
     */
    private static final long LEAST_BYTES_A_SECOND = 16 << 10;

    private final ServerConnection connection;
    private final SocketChannel channel;
    private final FrameDecoder decoder;
    private final long timeoutMillis;

    /**
     * Time since which no byte of the incomplete frame has come, in nanoseconds of the monotonic clock. While the
     * server does not read, this time moves forward.
     */
    private long sinceNanos;

    private long frame;
    private long frameBegunNanos;
    private boolean timerRuns;

    FrameWatch(ServerConnection connection, SocketChannel channel, FrameDecoder decoder, NettyOptions options) {
        this.connection = connection;
        this.channel = channel;
        this.decoder = decoder;
        this.timeoutMillis = options.frameTimeoutMillis();
    }

    /** Notes that some bytes have come. */
    void bytesCame(long now) {
        sinceNanos = now;
    }

    /** Begins to watch a frame if the frame is incomplete. Must be called after each read. */
    void begin() {
        if (!timerRuns && !connection.isEnded() && decoder.isInsideFrame()) {
            timerRuns = true;
            frame = decoder.framesDone();
            frameBegunNanos = connection.nanos();
            checkIn(timeoutMillis * 1_000_000);
        }
    }

    /** Restarts the time of the frame. The server did not read until now, so the peer did not cause the delay. */
    void anew(long now) {
        sinceNanos = now;
        frameBegunNanos = now;
    }

    private void checkIn(long nanos) {
        var unused = channel.eventLoop().schedule(this::check, nanos, TimeUnit.NANOSECONDS);
    }

    private void check() {
        timerRuns = false;
        if (connection.isEnded() || !channel.isActive() || !decoder.isInsideFrame()) {
            return;
        }
        long timeoutNanos = timeoutMillis * 1_000_000;
        long now = connection.nanos();
        if (!channel.config().isAutoRead()) {
            // The server does not read at the moment, so the peer is not at fault.
            anew(now);
        } else if (frame != decoder.framesDone()) {
            frame = decoder.framesDone();
            frameBegunNanos = now;
        }
        long leftNanos = sinceNanos + timeoutNanos - now;
        if (leftNanos <= 0) {
            connection.end(
                    0,
                    FsError.BAD_MESSAGE,
                    "a frame is incomplete and no byte of it came for " + timeoutMillis + " ms ("
                            + NettyOptions.FRAME_TIMEOUT.name() + ")");
            return;
        }
        long patienceNanos = timeoutNanos + decoder.receivedBytes() * 1_000_000_000L / LEAST_BYTES_A_SECOND;
        if (now - frameBegunNanos > patienceNanos) {
            connection.end(
                    0,
                    FsError.BAD_MESSAGE,
                    "of a frame only " + decoder.receivedBytes() + " bytes came in "
                            + (now - frameBegunNanos) / 1_000_000 + " ms; after " + timeoutMillis + " ms ("
                            + NettyOptions.FRAME_TIMEOUT.name() + ") " + LEAST_BYTES_A_SECOND + " a second must");
            return;
        }
        timerRuns = true;
        checkIn(leftNanos);
    }
}
