package io.steadfs.rpc.netty;

import io.steadfs.error.FsError;
import io.steadfs.hello.PeerName;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.time.Clock;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The pause after failed attempts to reach one server, and the error of the last failure. The pause begins with 20 ms
 * and doubles with each failure, up to {@code stead.rpc.reconnect.max}. After any reply of the server, the next pause
 * begins with 20 ms again. Belongs to the connection's event loop.
 */
final class ReconnectPause {
    private static final Logger LOG = LoggerFactory.getLogger(ReconnectPause.class);
    private static final long FIRST_NANOS = 20_000_000;

    private final ServerAddress server;
    private final NettyOptions options;
    private final Clock clock;

    private int failures;
    private long notBeforeNanos;
    /** The pause delays only calls to this server. Null = the pause delays all calls. */
    private @Nullable PeerName concerned;

    private FsError error = FsError.UNREACHABLE;
    private String why = "";

    ReconnectPause(ServerAddress server, NettyOptions options, Clock clock) {
        this.server = server;
        this.options = options;
        this.clock = clock;
    }

    /** Whether a call to this server must wait now, and not cause an attempt to connect. */
    boolean holdsUp(PeerName meant) {
        PeerName only = concerned;
        return clock.monotonicNanos() - notBeforeNanos < 0 && (only == null || only.equals(meant));
    }

    /** Whether an attempt failed since the server's last reply. */
    boolean hasFailures() {
        return failures > 0;
    }

    /** Error of the last failure, for calls that the pause delays. */
    FsError error() {
        return error;
    }

    /** The last failure in words, without the server's address. */
    String why() {
        return why;
    }

    /**
     * Begins a pause that is longer than the last pause.
     *
     * @param only the pause delays only calls to this server; null = the pause delays all calls
     */
    void failed(FsError failure, String words, @Nullable PeerName only) {
        failures++;
        long pause = Math.min(options.reconnectMaxMillis() * 1_000_000, FIRST_NANOS << Math.min(failures - 1, 20));
        notBeforeNanos = clock.monotonicNanos() + pause;
        concerned = only;
        error = failure;
        why = words;
        LOG.debug("{}: {}; no new attempt for {} ms", server, words, pause / 1_000_000);
    }

    /** Notes that the server replied to a call. A pause that has begun does not end earlier. */
    void answered() {
        failures = 0;
    }
}
