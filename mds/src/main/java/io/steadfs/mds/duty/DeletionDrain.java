package io.steadfs.mds.duty;

import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.deletion.QueuedDatafile;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.RemoveReply;
import io.steadfs.wire.proto.RemoveRequest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Empties the queue of datafiles to remove. Each IO server has its own lane with one batch under way, so a dead server delays
 * no other. The lane of a dead server waits longer and longer. A batch leaves the queue only after the server acknowledged
 * it: removing twice is harmless, but forgetting too early is not. A server keeps a datafile if it cannot read what it knows
 * of it. Then the datafile stays queued, and is tried again after a pause, behind all others.
 *
 * <p>A lane goes through its rows in handle order and starts again at the beginning when it meets the end. So it does not
 * step again and again over rows that the store has deleted but not yet cleared away.
 */
public final class DeletionDrain implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(DeletionDrain.class);

    /** Most datafiles in one message to an IO server. */
    static final int BATCH = 1000;

    private static final long INTERVAL_MILLIS = 5_000;
    private static final long LONGEST_PAUSE_MILLIS = 60_000;

    private final Supplier<ReadView> committed;
    private final Shard shard;
    private final IoServers servers;
    private final Clock clock;
    private final Function<List<QueuedDatafile>, InternalCommand<Integer>> forget;
    private final Pacer pacer;

    /** Lanes by IO server id. Owned by the scheduler's thread. */
    private final Map<Integer, Lane> lanes = new HashMap<>();

    /** @param forget removes datafiles from the queue */
    public DeletionDrain(
            Supplier<ReadView> committed,
            Shard shard,
            IoServers servers,
            Scheduler scheduler,
            Clock clock,
            Function<List<QueuedDatafile>, InternalCommand<Integer>> forget) {
        this.committed = committed;
        this.shard = shard;
        this.servers = servers;
        this.clock = clock;
        this.forget = forget;
        this.pacer = new Pacer(scheduler, INTERVAL_MILLIS, this::round);
    }

    @Override
    public void start() {
        pacer.start();
    }

    /** Something was queued. May be called from any thread. */
    public void wake() {
        pacer.wake();
    }

    @Override
    public void stop() {
        pacer.stop();
    }

    private void round() {
        if (Held.isHeld(committed.get())) {
            return;
        }
        Set<Integer> waiting = new HashSet<>(DeletionQueue.servers(committed.get()));
        lanes.values().removeIf(lane -> !lane.busy && !waiting.contains(lane.server));
        for (int server : waiting) {
            lanes.computeIfAbsent(server, Lane::new).beginIfIdle();
        }
    }

    /** The work for one IO server. */
    private final class Lane {
        private final int server;
        private final Backoff backoff = new Backoff(1_000, LONGEST_PAUSE_MILLIS);
        private QueuedDatafile done = QueuedDatafile.NONE;
        private boolean busy;

        /** Whether the server kept datafiles in this pass. They must not be tried again at once. */
        private boolean kept;

        private long notBeforeNanos = clock.monotonicNanos();

        Lane(int server) {
            this.server = server;
        }

        void beginIfIdle() {
            if (!busy && clock.monotonicNanos() - notBeforeNanos >= 0) {
                Pacer.step(this::next, this::broke);
            }
        }

        private void broke(Throwable cause) {
            LOG.error("removing datafiles at IO server {} broke", server, cause);
            failed("remove datafiles at IO server " + server);
        }

        private void next() {
            List<QueuedDatafile> batch = DeletionQueue.datafiles(committed.get(), server, done, BATCH);
            if (batch.isEmpty() && !done.equals(QueuedDatafile.NONE)) {
                done = QueuedDatafile.NONE;
                if (kept) {
                    kept = false;
                    pause(
                            LONGEST_PAUSE_MILLIS,
                            "remove some datafiles at IO server " + server + ": it cannot read what it knows of them");
                    return;
                }
                batch = DeletionQueue.datafiles(committed.get(), server, done, BATCH);
            }
            busy = !batch.isEmpty();
            if (busy) {
                remove(batch);
            }
        }

        private void remove(List<QueuedDatafile> batch) {
            RemoveRequest.Builder request = RemoveRequest.newBuilder();
            for (QueuedDatafile queued : batch) {
                request.addDatafiles(queued.datafile().value());
                request.addMetafiles(queued.metafile().value());
            }
            pacer.when(
                    servers.send(server, Kind.REMOVE, "remove", request.build()),
                    (reply, impossible) -> removed(batch, reply),
                    this::broke);
        }

        private void removed(List<QueuedDatafile> batch, Reply reply) {
            reply.payload().release();
            if (!reply.isOk()) {
                failed("remove " + batch.size() + " datafiles at IO server " + server + ": " + reply.error() + ", "
                        + reply.header().getMessage());
                return;
            }
            List<QueuedDatafile> gone = gone(batch, reply);
            kept |= gone.size() < batch.size();
            InternalCommand<Integer> command = forget.apply(gone);
            pacer.when(command.outcome(), (count, failure) -> forgotten(batch, failure), this::broke);
            shard.submit(command);
        }

        private static List<QueuedDatafile> gone(List<QueuedDatafile> batch, Reply reply) {
            if (!(reply.body() instanceof RemoveReply body) || body.getKeptCount() == 0) {
                return batch;
            }
            Set<Long> kept = new HashSet<>(body.getKeptList());
            return batch.stream()
                    .filter(queued -> !kept.contains(queued.datafile().value()))
                    .toList();
        }

        private void forgotten(List<QueuedDatafile> batch, @Nullable Throwable failure) {
            if (failure != null) {
                failed("take removed datafiles of IO server " + server + " off the queue: " + failure);
            } else {
                backoff.succeeded();
                done = batch.get(batch.size() - 1);
                next();
            }
        }

        private void failed(String what) {
            pause(backoff.failed(), what);
        }

        private void pause(long pauseMillis, String what) {
            LOG.warn("could not {}; next try in {} ms", what, pauseMillis);
            busy = false;
            notBeforeNanos = clock.monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
            pacer.later(pauseMillis, this::beginIfIdle);
        }
    }
}
