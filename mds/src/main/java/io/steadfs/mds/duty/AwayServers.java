package io.steadfs.mds.duty;

import io.steadfs.error.FsError;
import io.steadfs.rpc.Reply;
import java.util.HashMap;
import java.util.Map;

/**
 * IO servers that did not answer a duty. Such a server is left alone for a pause, which grows with every failure. After the
 * pause it gets one piece of work at a time, until it answers. So the limited places of a duty are left to work of other
 * servers. The duty is woken when a server may be asked again, and when it is back. Bounded by the number of IO servers.
 * Owned by the scheduler's thread.
 */
final class AwayServers {
    private final Pacer pacer;
    private final long firstMillis;
    private final long longestMillis;
    private final Map<Integer, Away> servers = new HashMap<>();

    private enum Step {
        PAUSED,
        MAY_BE_ASKED,
        ASKED
    }

    private static final class Away {
        private final Backoff backoff;
        private Step step = Step.MAY_BE_ASKED;

        Away(Backoff backoff) {
            this.backoff = backoff;
        }
    }

    AwayServers(Pacer pacer, long firstMillis, long longestMillis) {
        this.pacer = pacer;
        this.firstMillis = firstMillis;
        this.longestMillis = longestMillis;
    }

    /** Whether work that needs this server may start now. */
    boolean mayAsk(int server) {
        Away away = servers.get(server);
        return away == null || away.step == Step.MAY_BE_ASKED;
    }

    /** A request was sent to the server. A call of {@link #answered} follows. */
    void asked(int server) {
        Away away = servers.get(server);
        if (away != null && away.step == Step.MAY_BE_ASKED) {
            away.step = Step.ASKED;
        }
    }

    /** The result of a request to the server. The reply may say that the server did not answer. */
    void answered(int server, Reply reply) {
        if (!reply.error().isSilence() && reply.error() != FsError.UNAVAILABLE) {
            if (servers.remove(server) != null) {
                pacer.wake();
            }
            return;
        }
        Away away = servers.computeIfAbsent(server, unused -> new Away(new Backoff(firstMillis, longestMillis)));
        if (away.step != Step.PAUSED) {
            away.step = Step.PAUSED;
            pacer.later(away.backoff.failed(), () -> {
                away.step = Step.MAY_BE_ASKED;
                pacer.wake();
            });
        }
    }
}
