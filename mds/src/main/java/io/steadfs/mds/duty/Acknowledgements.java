package io.steadfs.mds.duty;

import io.steadfs.handle.Handle;
import io.steadfs.mds.datafile.DatafilesListed;
import io.steadfs.mds.pipeline.CommitListener;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.rpc.Reply;
import io.steadfs.time.Clock;
import io.steadfs.time.Scheduler;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AcknowledgeDatafilesRequest;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Tells IO servers which of their datafiles the metafiles of this shard list. One message names many datafiles. A
 * datafile may have been leased for a file that is written much later. After the message the IO server counts the
 * datafile as in use. So the holder of the lease and the IO server need not count the datafile as unused until the
 * lease ends.
 *
 * <p>This duty sends only committed facts. A late or repeated message changes nothing. A fact is lost if the shard
 * crashes or if too many facts wait to be sent. The fence at the end of the lease finds the facts that were lost. So
 * this duty keeps nothing durable.
 */
public final class Acknowledgements implements Duty, CommitListener {
    private static final Logger LOG = LoggerFactory.getLogger(Acknowledgements.class);
    private static final long INTERVAL_MILLIS = 1_000;
    private static final PeerLane.Pauses PAUSES = new PeerLane.Pauses(1_000, 60_000, false);

    /** The highest number of datafiles in one message. */
    private static final int BATCH = 1000;

    /**
     * The highest number of datafiles that wait for one server. If there are more, the oldest are dropped and left to
     * the fence.
     */
    private static final int MOST_WAITING = 1 << 16;

    private final IoServers servers;
    private final PerPeerDrain<Handle> drain;

    /** Datafiles that IO servers are still to be told, by IO server id. Guarded by the map itself. */
    private final Map<Integer, Deque<Handle>> waiting = new HashMap<>();

    public Acknowledgements(IoServers servers, Scheduler scheduler, Clock clock) {
        this.servers = servers;
        this.drain = new PerPeerDrain<>(scheduler, clock, INTERVAL_MILLIS, PAUSES, this::concerned, Telling::new);
    }

    @Override
    public void start() {
        drain.start();
    }

    @Override
    public void stop() {
        drain.stop();
    }

    @Override
    public void committed(List<LogRecord> records) {
        for (LogRecord record : records) {
            if (record instanceof DatafilesListed listed) {
                synchronized (waiting) {
                    listed.datafiles().forEach(each -> add(each.datafile()));
                }
            }
        }
    }

    private void add(Handle datafile) {
        Deque<Handle> queue = waiting.computeIfAbsent(datafile.owner(), unused -> new ArrayDeque<>());
        if (queue.size() == MOST_WAITING) {
            queue.removeFirst();
        }
        queue.addLast(datafile);
    }

    private List<Handle> take(int server) {
        List<Handle> batch = new ArrayList<>();
        synchronized (waiting) {
            Deque<Handle> queue = waiting.get(server);
            while (queue != null && !queue.isEmpty() && batch.size() < BATCH) {
                batch.add(queue.removeFirst());
            }
            if (queue != null && queue.isEmpty()) {
                waiting.remove(server);
            }
        }
        return batch;
    }

    private Optional<Set<Integer>> concerned() {
        synchronized (waiting) {
            return Optional.of(new TreeSet<>(waiting.keySet()));
        }
    }

    /** Sends the messages to one IO server, one at a time. */
    private final class Telling implements PeerWork<Handle> {
        private final PeerLane<Handle> lane;
        private final int server;

        Telling(PeerLane<Handle> lane) {
            this.lane = lane;
            this.server = lane.peer();
        }

        @Override
        public List<Handle> behind(Optional<Handle> done) {
            return take(server);
        }

        @Override
        public CompletableFuture<Reply> send(List<Handle> batch) {
            AcknowledgeDatafilesRequest.Builder request = AcknowledgeDatafilesRequest.newBuilder();
            for (Handle each : batch) {
                request.addDatafiles(each.value());
            }
            return servers.send(server, Kind.ACKNOWLEDGE_DATAFILES, "acknowledge datafiles", request.build());
        }

        @Override
        public void answered(List<Handle> batch, Reply reply, @Nullable Throwable impossible) {
            reply.payload().release();
            if (reply.isOk()) {
                lane.goOn();
                return;
            }
            pause();
            LOG.info(
                    "IO server {} was not told that {} datafiles are in use; it asks when their leases end: {}, {}",
                    server,
                    batch.size(),
                    reply.error(),
                    reply.header().getMessage());
        }

        @Override
        public void broke(Throwable cause) {
            pause();
            LOG.error("telling IO server {} of its datafiles broke", server, cause);
        }

        private void pause() {
            lane.pause(lane.failed());
        }
    }
}
