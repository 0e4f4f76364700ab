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
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells other shards the notices that are in the outbox for them, each shard by itself. A notice leaves the outbox only after
 * its shard acknowledged it: telling twice is harmless, but forgetting too early is not.
 */
public final class OutboxDrain implements Duty {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxDrain.class);

    /** Most notices in one message. */
    static final int BATCH = 1000;

    private static final long INTERVAL_MILLIS = 5_000;
    private static final PeerLane.Pauses PAUSES = new PeerLane.Pauses(500, 10_000, true);

    /** The other shards, as far as this duty needs them. */
    @FunctionalInterface
    public interface Messenger {
        /** Sends NOTIFY once. If the shard cannot be reached, the reply says so. Completes on any thread. */
        CompletableFuture<Reply> tell(int shard, NotifyRequest request);
    }

    private final Supplier<ReadView> committed;
    private final Shard shard;
    private final Messenger messenger;
    private final Function<List<Notice>, InternalCommand<Integer>> forget;
    private final PerPeerDrain<Notice> drain;

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
        this.forget = forget;
        this.drain = new PerPeerDrain<>(scheduler, clock, INTERVAL_MILLIS, PAUSES, this::waiting, Telling::new);
    }

    @Override
    public void start() {
        drain.start();
    }

    /** A notice was queued. May be called from any thread. */
    public void wake() {
        drain.wake();
    }

    @Override
    public void stop() {
        drain.stop();
    }

    private Optional<Set<Integer>> waiting() {
        return Held.isHeld(committed.get())
                ? Optional.empty()
                : Optional.of(new HashSet<>(Outbox.shards(committed.get())));
    }

    /** The work for one shard. */
    private final class Telling implements PeerWork<Notice> {
        private final PeerLane<Notice> lane;
        private final int target;

        Telling(PeerLane<Notice> lane) {
            this.lane = lane;
            this.target = lane.peer();
        }

        @Override
        public List<Notice> behind(Optional<Notice> done) {
            return Outbox.notices(committed.get(), target, done, BATCH);
        }

        @Override
        public CompletableFuture<Reply> send(List<Notice> batch) {
            return messenger.tell(target, request(batch));
        }

        @Override
        public void answered(List<Notice> batch, Reply reply, @Nullable Throwable failure) {
            if (failure != null) {
                failed(batch, failure.toString());
                return;
            }
            reply.payload().release();
            if (!reply.isOk()) {
                failed(batch, reply.error() + ", " + reply.header().getMessage());
                return;
            }
            lane.forget(batch, forget.apply(batch), shard, notForgotten -> failed(batch, notForgotten.toString()));
        }

        @Override
        public void broke(Throwable cause) {
            LOG.error("telling shard {} of objects broke", target, cause);
            pause();
        }

        private void failed(List<Notice> batch, String why) {
            LOG.warn("could not tell shard {} of {} objects: {}", target, batch.size(), why);
            pause();
        }

        private void pause() {
            long pauseMillis = lane.failed();
            LOG.info("shard {} is told of objects again in {} ms", target, pauseMillis);
            lane.pause(pauseMillis);
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
