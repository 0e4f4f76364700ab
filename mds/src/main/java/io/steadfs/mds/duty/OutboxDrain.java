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
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Sends the notices in the outbox to the shards for which they are meant. Each shard is served separately. */
public final class OutboxDrain extends QueueDrain<Notice> {
    private static final Logger LOG = LoggerFactory.getLogger(OutboxDrain.class);
    private static final PeerLane.Pauses PAUSES = new PeerLane.Pauses(500, 10_000, true);

    /** Sends notices to other shards. */
    @FunctionalInterface
    public interface Messenger {
        /** Sends NOTIFY once. If the shard cannot be reached, the reply says so. Completes on any thread. */
        CompletableFuture<Reply> tell(int shard, NotifyRequest request);
    }

    private final Messenger messenger;

    /** @param forget removes notices from the outbox */
    public OutboxDrain(
            Supplier<ReadView> committed,
            Shard shard,
            Messenger messenger,
            Scheduler scheduler,
            Clock clock,
            Function<List<Notice>, InternalCommand<Integer>> forget) {
        super(committed, shard, scheduler, clock, PAUSES, forget);
        this.messenger = messenger;
    }

    @Override
    List<Integer> peers(ReadView view) {
        return Outbox.shards(view);
    }

    @Override
    PeerWork<Notice> work(PeerLane<Notice> lane) {
        return new Telling(lane);
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
            return Outbox.notices(committed(), target, done, BATCH);
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
            forget(lane, batch, batch, notForgotten -> failed(batch, notForgotten.toString()));
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
