package io.steadfs.mds;

import io.steadfs.rpc.RequestHandler;
import io.steadfs.server.OpenedParts;
import io.steadfs.time.ThreadScheduler;
import io.steadfs.wire.proto.StatusReply;
import java.io.IOException;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shards of a metadata server. They become more while the server runs, when shards are added for it. A thread of this
 * object opens such a shard, lets it learn the fences of the other shards, and says that it is ready.
 */
final class HostedShards implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(HostedShards.class);
    private static final long AGAIN_MILLIS = 1_000;

    private final HostedShard.Surroundings around;
    private final Neighbours neighbours;
    private final ConcurrentSkipListMap<Integer, HostedShard> shards = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListMap<Integer, RequestHandler> doors = new ConcurrentSkipListMap<>();
    private final ConcurrentSkipListMap<Integer, Supplier<StatusReply>> accounts = new ConcurrentSkipListMap<>();
    private final ThreadScheduler scheduler;

    /** The shards in the order in which they were opened. Guarded by this. */
    private final OpenedParts opened = new OpenedParts();

    private boolean closed;

    /** Shards that learn fences, or have said that they are ready. Owned by the scheduler's thread. */
    private final Set<Integer> learning = new HashSet<>();

    HostedShards(HostedShard.Surroundings around) {
        this.around = around;
        this.neighbours = around.neighbours();
        this.scheduler = new ThreadScheduler("mds-" + around.serverId() + "-shards");
    }

    /**
     * Opens the shards with which the server starts. From then on the server learns of more shards.
     *
     * @throws IOException if a shard cannot be opened; the caller closes this object then
     */
    void open() throws IOException {
        neighbours.learnShardsBy(this::learn);
        SortedSet<Integer> numbers = neighbours.shards();
        for (int number : numbers) {
            open(number);
        }
        if (numbers.isEmpty()) {
            LOG.warn(
                    "mds-{} hosts no shard: add some for it with 'stead admin shards add --mds {}'",
                    around.serverId(),
                    around.serverId());
        }
        scheduler.after(0, this::look);
    }

    /** Opens the shard if it is not open yet. Does nothing after {@link #close}. */
    private synchronized void open(int number) throws IOException {
        if (!closed && !shards.containsKey(number)) {
            HostedShard shard = opened.keep(new HostedShard(number, around));
            shards.put(number, shard);
            accounts.put(number, shard::status);
            doors.put(number, shard.door());
        }
    }

    /** Runs on a thread that must not wait. */
    private CompletableFuture<?> learn() {
        scheduler.after(0, this::look);
        return CompletableFuture.allOf(
                shards.values().stream().map(HostedShard::learnShards).toArray(CompletableFuture<?>[]::new));
    }

    /** Opens the shards that were added for this server. */
    private void look() {
        try {
            for (int number : neighbours.shards()) {
                open(number);
                if (neighbours.isJoining(number) && learning.add(number)) {
                    learnFences(number);
                }
            }
        } catch (IOException | RuntimeException e) {
            LOG.warn("mds-{} does not host all of its shards yet: {}", around.serverId(), e.getMessage());
            scheduler.after(AGAIN_MILLIS, this::look);
        }
    }

    private void learnFences(int number) {
        HostedShard shard = shards.get(number);
        if (shard != null) {
            var unused = shard.learnFences()
                    .whenComplete(
                            (done, failure) -> scheduler.after(0, () -> learnt(number, Optional.ofNullable(failure))));
        }
    }

    private void learnt(int number, Optional<Throwable> failure) {
        if (failure.isPresent()) {
            learnAgain(number, failure.get());
            return;
        }
        try {
            neighbours.ready(number);
            LOG.info("shard {} has learnt the fences of the other shards", number);
        } catch (IOException | RuntimeException e) {
            learnAgain(number, e);
        }
    }

    private void learnAgain(int number, Throwable why) {
        LOG.info("shard {} does not join yet: {}", number, why.getMessage());
        scheduler.after(AGAIN_MILLIS, () -> learnFences(number));
    }

    /** The handlers of the shards, by number. They become more. May be read from any thread. */
    SortedMap<Integer, RequestHandler> doors() {
        return doors;
    }

    /** The status of each shard, by number. They become more. May be read from any thread. */
    SortedMap<Integer, Supplier<StatusReply>> accounts() {
        return accounts;
    }

    /** The shards by number. They become more. May be read from any thread. */
    SortedMap<Integer, HostedShard> all() {
        return shards;
    }

    /** Ends the shards, newest first. */
    @Override
    public void close() {
        scheduler.close();
        synchronized (this) {
            closed = true;
            opened.close();
        }
    }
}
