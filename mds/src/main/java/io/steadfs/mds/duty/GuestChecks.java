package io.steadfs.mds.duty;

import io.steadfs.mds.session.Session;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.SessionStatusReply;
import io.steadfs.wire.proto.SessionStatusRequest;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Asks home shards which guests of this shard are still alive. A message names at most {@value #MOST_IN_A_MESSAGE}
 * guests. Each home shard gets one message at a time. If a home shard does not answer, its guests stay. Runs on the
 * scheduler's thread.
 */
final class GuestChecks {
    private static final Logger LOG = LoggerFactory.getLogger(GuestChecks.class);

    static final int MOST_IN_A_MESSAGE = 1000;

    private final HomeShards homes;
    private final Pacer pacer;
    private final LongConsumer gone;
    private final Set<Integer> underWay = new HashSet<>();

    /** @param gone takes the id of each session that its home shard calls dead; runs on the scheduler's thread */
    GuestChecks(HomeShards homes, Pacer pacer, LongConsumer gone) {
        this.homes = homes;
        this.pacer = pacer;
        this.gone = gone;
    }

    /**
     * Whether the home shard has not yet answered an earlier question, so that it must not get another question now.
     */
    boolean isUnderWay(int home) {
        return underWay.contains(home);
    }

    void ask(int home, List<Long> sessions) {
        if (underWay.add(home)) {
            Pacer.step(() -> askOn(home, sessions, 0), cause -> broke(home, sessions, cause));
        }
    }

    private void broke(int home, List<Long> sessions, Throwable cause) {
        LOG.error("asking shard {} which of {} sessions are alive broke", home, sessions.size(), cause);
        underWay.remove(home);
    }

    private void askOn(int home, List<Long> sessions, int from) {
        if (from >= sessions.size()) {
            underWay.remove(home);
            return;
        }
        int to = Math.min(sessions.size(), from + MOST_IN_A_MESSAGE);
        CompletableFuture<Reply> asked = homes.ask(
                home,
                SessionStatusRequest.newBuilder()
                        .addAllSessions(sessions.subList(from, to))
                        .setHome(home + 1)
                        .build());
        pacer.when(
                asked,
                (reply, failure) -> {
                    if (take(home, reply, failure)) {
                        askOn(home, sessions, to);
                    } else {
                        underWay.remove(home);
                    }
                },
                cause -> broke(home, sessions, cause));
    }

    private boolean take(int home, @Nullable Reply reply, @Nullable Throwable failure) {
        if (reply == null) {
            LOG.warn("shard {} could not be asked about its sessions: {}", home, String.valueOf(failure));
            return false;
        }
        reply.payload().release();
        if (!reply.isOk() || !(reply.body() instanceof SessionStatusReply answered)) {
            LOG.info(
                    "shard {} does not say which sessions are alive: {} {}",
                    home,
                    reply.error(),
                    reply.header().getMessage());
            return false;
        }
        for (SessionStatusReply.Status status : answered.getSessionsList()) {
            if (!status.getAlive()) {
                LOG.debug("session {} is not alive at its home shard {}", Session.name(status.getSession()), home);
                gone.accept(status.getSession());
            }
        }
        return true;
    }
}
