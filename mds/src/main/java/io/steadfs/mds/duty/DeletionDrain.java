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
 * Has the IO servers remove the datafiles in the deletion queue. Each IO server is served separately. If an IO server
 * cannot read its row of a datafile, the IO server keeps the datafile. The datafile then stays in the queue. The shard
 * tries the datafile again after a pause, and after all other datafiles.
 */
public final class DeletionDrain extends QueueDrain<QueuedDatafile> {
    private static final Logger LOG = LoggerFactory.getLogger(DeletionDrain.class);
    private static final long LONGEST_PAUSE_MILLIS = 60_000;
    private static final PeerLane.Pauses PAUSES = new PeerLane.Pauses(1_000, LONGEST_PAUSE_MILLIS, true);

    private final IoServers servers;

    /** @param forget removes datafiles from the queue */
    public DeletionDrain(
            Supplier<ReadView> committed,
            Shard shard,
            IoServers servers,
            Scheduler scheduler,
            Clock clock,
            Function<List<QueuedDatafile>, InternalCommand<Integer>> forget) {
        super(committed, shard, scheduler, clock, PAUSES, forget);
        this.servers = servers;
    }

    @Override
    List<Integer> peers(ReadView view) {
        return DeletionQueue.servers(view);
    }

    @Override
    PeerWork<QueuedDatafile> work(PeerLane<QueuedDatafile> lane) {
        return new Removal(lane);
    }

    /** The work for one IO server. */
    private final class Removal implements PeerWork<QueuedDatafile> {
        private final PeerLane<QueuedDatafile> lane;
        private final int server;

        /** Whether the server kept datafiles in this pass. The shard must not try the kept datafiles again at once. */
        private boolean kept;

        Removal(PeerLane<QueuedDatafile> lane) {
            this.lane = lane;
            this.server = lane.peer();
        }

        @Override
        public List<QueuedDatafile> behind(Optional<QueuedDatafile> done) {
            return DeletionQueue.datafiles(committed(), server, done.orElse(QueuedDatafile.NONE), BATCH);
        }

        @Override
        public boolean beginsAnew() {
            if (!kept) {
                return true;
            }
            kept = false;
            pause(
                    LONGEST_PAUSE_MILLIS,
                    "remove some datafiles at IO server " + server + ": it cannot read what it knows of them");
            return false;
        }

        @Override
        public CompletableFuture<Reply> send(List<QueuedDatafile> batch) {
            RemoveRequest.Builder request = RemoveRequest.newBuilder();
            for (QueuedDatafile queued : batch) {
                request.addDatafiles(queued.datafile().value());
                request.addMetafiles(queued.metafile().value());
            }
            return servers.send(server, Kind.REMOVE, "remove", request.build());
        }

        @Override
        public void answered(List<QueuedDatafile> batch, Reply reply, @Nullable Throwable impossible) {
            reply.payload().release();
            if (!reply.isOk()) {
                failed("remove " + batch.size() + " datafiles at IO server " + server + ": " + reply.error() + ", "
                        + reply.header().getMessage());
                return;
            }
            List<QueuedDatafile> gone = gone(batch, reply);
            kept |= gone.size() < batch.size();
            forget(
                    lane,
                    batch,
                    gone,
                    failure -> failed("take removed datafiles of IO server " + server + " off the queue: " + failure));
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

        @Override
        public void broke(Throwable cause) {
            LOG.error("removing datafiles at IO server {} broke", server, cause);
            failed("remove datafiles at IO server " + server);
        }

        private void failed(String what) {
            pause(lane.failed(), what);
        }

        private void pause(long pauseMillis, String what) {
            LOG.warn("could not {}; next try in {} ms", what, pauseMillis);
            lane.pause(pauseMillis);
        }
    }
}
