package io.steadfs.mds.duty;

import io.steadfs.mds.outbox.Notice;
import io.steadfs.mds.outbox.Outbox;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Shard;
import io.steadfs.rpc.Reply;
import io.steadfs.store.ReadView;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.proto.NotifyRequest;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells other shards the notices that are in the outbox for them. Each shard has its own lane with one message under way, so
 * a shard that does not answer delays no other. The lane of such a shard waits longer and longer. A notice leaves the outbox
 * only after its shard acknowledged it: telling twice is harmless, but forgetting too early is not.
 *
 * <p>A lane goes through its rows in key order and starts again at the beginning when it meets the end. So it does not step
 * again and again over rows that the store has deleted but not yet cleared away.
 */
public final class OutboxDrain implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxDrain.class);

    /** Most notices in one message. */
    static final int BATCH = 1000;

    private static final long INTERVAL_MILLIS = 5_000;
    private static final long FIRST_PAUSE_MILLIS = 500;
    private static final long LONGEST_PAUSE_MILLIS = 10_000;

    /** The other shards, as far as this duty needs them. */
    @FunctionalInterface
    public interface Messenger {
        /** Sends NOTIFY once. If the shard cannot be reached, the reply says so. Completes on any thread. */
        CompletableFuture<Reply> tell(int shard, NotifyRequest request);
    }

    private final Supplier<ReadView> committed;
    private final Shard shard;
    private final Messenger messenger;
    private final Clock clock;
    private final Function<List<Notice>, InternalCommand<Integer>> forget;
    private final Pacer pacer;

    /** Lanes by shard number. Owned by the scheduler's thread. */
    private final Map<Integer, Lane> lanes = new HashMap<>();

    /** @param forget removes notices from the outbox */
    public OutboxDrain(
            Supplier<ReadView> committed,
            Shard shard,
            Messenger messenger,
            Scheduler scheduler,
            Clock clock,
            Function<List<Notice>, InternalCommand<Integer>> forget) {
        this.committed = committed;
        this.shard = shard;
        this.messenger = messenger;
        this.clock = clock;
        this.forget = forget;
        this.pacer = new Pacer(scheduler, INTERVAL_MILLIS, this::round);
    }

    @Override
    public void start() {
        pacer.start();
    }

    /** A notice was queued. May be called from any thread. */
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
        Set<Integer> waiting = new HashSet<>(Outbox.shards(committed.get()));
        lanes.values().removeIf(lane -> !lane.busy && !waiting.contains(lane.target));
        for (int target : waiting) {
            lanes.computeIfAbsent(target, Lane::new).beginIfIdle();
        }
    }

    /** The work for one shard. */
    private final class Lane {
        private final int target;
        private final Backoff backoff = new Backoff(FIRST_PAUSE_MILLIS, LONGEST_PAUSE_MILLIS);
        private Optional<Notice> done = Optional.empty();
        private boolean busy;
        private long notBeforeNanos = clock.monotonicNanos();

        Lane(int target) {
            this.target = target;
        }

        void beginIfIdle() {
            if (!busy && clock.monotonicNanos() - notBeforeNanos >= 0) {
                Pacer.step(this::next, this::broke);
            }
        }

        private void broke(Throwable cause) {
            LOG.error("telling shard {} of objects broke", target, cause);
            pause();
        }

        private void next() {
            List<Notice> batch = Outbox.notices(committed.get(), target, done, BATCH);
            if (batch.isEmpty() && done.isPresent()) {
                done = Optional.empty();
                batch = Outbox.notices(committed.get(), target, done, BATCH);
            }
            busy = !batch.isEmpty();
            if (busy) {
                tell(batch);
            }
        }

        private void tell(List<Notice> batch) {
            pacer.when(
                    messenger.tell(target, request(batch)),
                    (reply, failure) -> told(batch, reply, failure),
                    this::broke);
        }

        private void told(List<Notice> batch, Reply reply, @Nullable Throwable failure) {
            if (failure != null) {
                failed(batch, failure.toString());
                return;
            }
            reply.payload().release();
            if (!reply.isOk()) {
                failed(batch, reply.error() + ", " + reply.header().getMessage());
                return;
            }
            InternalCommand<Integer> command = forget.apply(batch);
            pacer.when(command.outcome(), (count, notForgotten) -> forgotten(batch, notForgotten), this::broke);
            shard.submit(command);
        }

        private void forgotten(List<Notice> batch, @Nullable Throwable failure) {
            if (failure != null) {
                failed(batch, failure.toString());
            } else {
                backoff.succeeded();
                done = Optional.of(batch.get(batch.size() - 1));
                next();
            }
        }

        private void failed(List<Notice> batch, String why) {
            LOG.warn("could not tell shard {} of {} objects: {}", target, batch.size(), why);
            pause();
        }

        private void pause() {
            long pauseMillis = backoff.failed();
            LOG.info("shard {} is told of objects again in {} ms", target, pauseMillis);
            busy = false;
            notBeforeNanos = clock.monotonicNanos() + TimeUnit.MILLISECONDS.toNanos(pauseMillis);
            pacer.later(pauseMillis, this::beginIfIdle);
        }
    }

    private static NotifyRequest request(List<Notice> batch) {
        NotifyRequest.Builder request = NotifyRequest.newBuilder();
        for (Notice notice : batch) {
            long object = notice.object().value();
            switch (notice.kind()) {
                case UNLINKED_FILE -> request.addUnlinkedFiles(object);
                case CUT_TREE -> request.addCutTrees(object);
                case LINKED_FILE -> request.addLinkedFiles(object).addLinkedGroups(notice.group());
            }
        }
        return request.build();
    }
}
