package io.steadfs.mds.duty;

import io.steadfs.error.FsError;
import io.steadfs.rpc.Reply;
import java.util.HashMap;
import java.util.Map;

/**
 * Remembers the IO servers that did not answer a duty. The duty sends nothing to a server that did not answer until a
 * pause is over. The pause grows with every failure. After the pause the server gets one piece of work at a time, until
 * it answers. A duty works on a limited number of things at a time. The pauses leave this capacity to the work of other
 * servers. This class wakes the duty at the end of a pause, and when a server is back. The size of this object is
 * bounded by the number of IO servers. Owned by the scheduler's thread.
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

    /** Notes that a request was sent to the server. A call of {@link #answered} follows. */
    void asked(int server) {
        Away away = servers.get(server);
        if (away != null && away.step == Step.MAY_BE_ASKED) {
            away.step = Step.ASKED;
        }
    }

    /** Takes the result of a request to the server. The reply may say that the server did not answer. */
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
