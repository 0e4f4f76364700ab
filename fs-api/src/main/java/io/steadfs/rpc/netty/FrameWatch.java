package io.steadfs.rpc.netty;

import io.netty.channel.socket.DuplexChannel;
import io.steadfs.error.FsError;
import io.steadfs.wire.FrameDecoder;
import java.util.concurrent.TimeUnit;

/**
 * Ends the connection of a peer that sends a frame too slowly. A frame may stand still for
 * {@code stead.rpc.frame.timeout} at the longest. In total, a frame may take this timeout plus one second for each
 * {@value #LEAST_BYTES_A_SECOND} bytes that have come. Time in which this server does not read does not count. The
 * watch belongs to the channel's event loop.
 */
final class FrameWatch {
    /**
     * The slowest allowed rate of a frame, in bytes a second. The time for which a frame may stand still is not
     * counted.
     */
    private static final long LEAST_BYTES_A_SECOND = 16 << 10;

    private final ServerConnection connection;
    private final DuplexChannel channel;
    private final FrameDecoder decoder;
    private final long timeoutMillis;

    /** Time since which an incomplete frame has stood still, in nanoseconds. */
    private long sinceNanos;

    private long frame;
    private long frameBegunNanos;
    private boolean timerRuns;

    FrameWatch(ServerConnection connection, DuplexChannel channel, FrameDecoder decoder, NettyOptions options) {
        this.connection = connection;
        this.channel = channel;
        this.decoder = decoder;
        this.timeoutMillis = options.frameTimeoutMillis();
    }

    /** Notes that some bytes came. */
    void bytesCame(long now) {
        sinceNanos = now;
    }

    /** Begins to watch the frame, if a frame is incomplete. To be called after a read. */
    void begin() {
        if (!timerRuns && !connection.isEnded() && decoder.isInsideFrame()) {
            timerRuns = true;
            frame = decoder.framesDone();
            frameBegunNanos = connection.nanos();
            checkIn(timeoutMillis * 1_000_000);
        }
    }

    /**
     * Begins to count the time anew. To be called when this server has not read for a while: the peer was not at fault
     * then.
     */
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
            // This server does not read now, so the peer is not at fault.
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
