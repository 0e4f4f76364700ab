package io.steadfs.rpc.netty;

import io.steadfs.time.Clock;
import org.slf4j.Logger;

/**
 * Logs warnings that a peer can cause as often as it likes. Logs at most {@value #LINES} lines in each period of
 * {@value #PERIOD_SECONDS} seconds. The first line of the next period says how many lines were left out.
 */
final class RateLimitedLog {
    private static final int LINES = 10;
    private static final long PERIOD_SECONDS = 10;
    private static final long PERIOD_NANOS = PERIOD_SECONDS * 1_000_000_000L;

    private final Logger log;
    private final Clock clock;
    private long periodStart;
    private int lines;
    private long leftOut;

    RateLimitedLog(Logger log, Clock clock) {
        this.log = log;
        this.clock = clock;
        this.periodStart = clock.monotonicNanos();
    }

    void warn(String peer, String what) {
        long before;
        synchronized (this) {
            long now = clock.monotonicNanos();
            if (now - periodStart >= PERIOD_NANOS) {
                periodStart = now;
                lines = 0;
            }
            if (lines >= LINES) {
                leftOut++;
                return;
            }
            lines++;
            before = leftOut;
            leftOut = 0;
        }
        if (before > 0) {
            log.warn("{}: {} ({} similar warnings were left out before)", peer, what, before);
        } else {
            log.warn("{}: {}", peer, what);
        }
    }
}
