package io.steadfs.client.call;

import io.steadfs.error.FsError;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.time.Clock;
import java.util.concurrent.ConcurrentHashMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Logs which servers are away, for all clients that share this object. If a server answers no call for
 * {@value #TELL_AFTER_SECONDS} s, the log says once that the server is away. After an away server has answered again,
 * the log says once that the server is back. Keeps one small object for each server that is away. Thread-safe.
 */
final class AwayServers {
    private static final long TELL_AFTER_SECONDS = 5;
    private static final long TELL_AFTER_NANOS = TELL_AFTER_SECONDS * 1_000_000_000L;

    private final Clock clock;
    private final Logger log;
    private final ConcurrentHashMap<ServerAddress, Away> away = new ConcurrentHashMap<>();

    private record Away(long sinceNanos, boolean told) {}

    AwayServers(Clock clock) {
        this(clock, LoggerFactory.getLogger(AwayServers.class));
    }

    AwayServers(Clock clock, Logger log) {
        this.clock = clock;
        this.log = log;
    }

    /**
     * Notes that a call failed because the server gave no answer.
     *
     * @param sentNanos when the call began, in nanoseconds of the monotonic clock
     * @param words the client's description of the failure, which begins with the server's address
     */
    void missed(ServerAddress server, long sentNanos, FsError error, String words) {
        long now = clock.monotonicNanos();
        away.compute(server, (key, before) -> {
            Away known = before == null ? new Away(sentNanos, false) : before;
            long forNanos = now - known.sinceNanos();
            if (known.told() || forNanos < TELL_AFTER_NANOS) {
                return known;
            }
            log.warn(
                    "{} has not answered for {} s ({}: {}); {} says how long calls wait for an answer",
                    server,
                    forNanos / 1_000_000_000L,
                    error,
                    words,
                    RetryRule.OPERATION_TIMEOUT.name());
            return new Away(known.sinceNanos(), true);
        });
    }

    /** Notes that the server itself has answered a call. */
    void answered(ServerAddress server) {
        if (away.isEmpty()) {
            return;
        }
        Away known = away.remove(server);
        if (known != null && known.told()) {
            log.warn(
                    "{} answers again after {} s",
                    server,
                    (clock.monotonicNanos() - known.sinceNanos()) / 1_000_000_000L);
        }
    }
}
