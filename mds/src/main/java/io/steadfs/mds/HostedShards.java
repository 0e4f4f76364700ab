package io.steadfs.mds;

import io.steadfs.mds.move.StoreDoor;
import io.steadfs.membership.ShardPlace;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.store.mark.AcceptedLoss;
import io.steadfs.time.ThreadScheduler;
import io.steadfs.wire.FrameLimits;
import io.steadfs.wire.proto.StatusReply;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shards of a metadata server. They become more while the server runs, when shards are added for it or move to it. A
 * thread of this object opens such a shard. An added one it lets learn the fences of the other shards. Then it says that the
 * shard is ready. Shards that move to another server are closed.
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
    private final LeavingShards leaving;
    private final ArrivingShards arriving;

    /** The shards in the order in which they were opened, newest first. Guarded by this. */
    private final Deque<HostedShard> opened = new ArrayDeque<>();

    /**
     * The newest version of a shard's place that this server has seen or made, for places of which it may have heard less.
     */
    private final ConcurrentHashMap<Integer, Integer> known = new ConcurrentHashMap<>();

    /** Guarded by this. */
    private boolean closed;

    /** Whether another look is planned. Owned by the scheduler's thread. */
    private boolean planned;

    /** Shards that learn fences, or have said that they are ready. Owned by the scheduler's thread. */
    private final Set<Integer> learning = new HashSet<>();

    HostedShards(HostedShard.Surroundings around) {
        this.around = around;
        this.neighbours = around.neighbours();
        this.scheduler = new ThreadScheduler("mds-" + around.serverId() + "-shards");
        this.leaving = new LeavingShards(this, around);
        this.arriving = new ArrivingShards(this, around, this::lookSoon);
    }

    /**
     * Opens the shards with which the server starts. From then on the server learns of more shards.
     *
     * @throws IOException if a shard cannot be opened; the caller closes this object then
     */
    void open() throws IOException {
        neighbours.learnShardsBy(this::learn);
        neighbours.tellPlaces(this::lookSoon);
        SortedSet<Integer> numbers = neighbours.shards();
        for (int number : numbers) {
            open(number, neighbours.acceptedLoss());
        }
        if (numbers.isEmpty()) {
            LOG.warn(
                    "mds-{} hosts no shard: add some for it with 'stead admin shards add --mds {}', or move some to it",
                    around.serverId(),
                    around.serverId());
        }
        lookSoon();
    }

    /**
     * Opens the shard if it is not open yet. Does nothing after {@link #close}.
     *
     * @param acceptedLoss which loss of the store the operator accepts
     */
    private synchronized void open(int number, AcceptedLoss acceptedLoss) throws IOException {
        if (!closed && !shards.containsKey(number)) {
            HostedShard shard = new HostedShard(number, around, acceptedLoss);
            opened.push(shard);
            know(number, shard.place().version());
            shards.put(number, shard);
            accounts.put(number, shard::status);
            doors.put(number, shard.door());
        }
    }

    /** Closes the shard if it is open, and takes no more requests for it. Returns when its store is closed. */
    private synchronized void close(int number) {
        HostedShard shard = shards.remove(number);
        if (shard != null) {
            doors.remove(number);
            accounts.remove(number);
            learning.remove(number);
            shard.close();
            opened.remove(shard);
        }
    }

    /** Notes the version of a shard's place. Any thread may call this method. */
    void know(int shard, int version) {
        known.merge(shard, version, Math::max);
    }

    /**
     * The places of shards of which this server knows nothing newer. Any thread may call this method.
     */
    SortedMap<Integer, ShardPlace> places() {
        return upToDate(neighbours.places());
    }

    private SortedMap<Integer, ShardPlace> upToDate(SortedMap<Integer, ShardPlace> heard) {
        SortedMap<Integer, ShardPlace> places = new TreeMap<>(heard);
        places.entrySet().removeIf(each -> each.getValue().version() < known.getOrDefault(each.getKey(), 0));
        return places;
    }

    /** The shard, if it is open. Any thread may call this method. */
    Optional<HostedShard> find(int shard) {
        return Optional.ofNullable(shards.get(shard));
    }

    /** Closes a shard that was given away. Must be called on the scheduler's thread. */
    void closeGiven(int shard, ShardPlace given) {
        know(shard, given.version());
        close(shard);
    }

    /**
     * Opens a shard whose host this server has become. If that fails, it is tried again. Any thread may call this method,
     * which does not wait.
     *
     * @param version of the place of the shard
     * @param told runs when the shard serves; not if the first try failed
     */
    void openTaken(int shard, int version, Runnable told) {
        know(shard, version);
        scheduler.after(0, () -> {
            attempt(() -> {
                open(shard, AcceptedLoss.NONE);
                neighbours.opened(shard);
                told.run();
            });
            look();
        });
    }

    /** Answers the servers to which shards move. */
    StoreDoor storeDoor(RequestHandler others) {
        return new StoreDoor(
                others,
                leaving,
                FrameLimits.from(around.settings()).payloadBytes(),
                task -> scheduler.after(0, task),
                "mds-" + around.serverId());
    }

    /** Why shards do not move on to this server, one line each. Any thread may call this method. */
    List<String> troubles() {
        return arriving.troubles();
    }

    /** Runs on a thread that must not wait. */
    private CompletableFuture<?> learn() {
        lookSoon();
        return CompletableFuture.allOf(
                shards.values().stream().map(HostedShard::learnShards).toArray(CompletableFuture<?>[]::new));
    }

    private void lookSoon() {
        scheduler.after(0, this::look);
    }

    private void lookAgain() {
        if (!planned) {
            planned = true;
            scheduler.after(AGAIN_MILLIS, () -> {
                planned = false;
                look();
            });
        }
    }

    /** A part of a look. It is tried again if it fails. */
    private interface Part {
        void run() throws IOException;
    }

    private void attempt(Part part) {
        try {
            part.run();
        } catch (IOException | RuntimeException e) {
            LOG.warn("mds-{} does not host what it should yet: {}", around.serverId(), e.getMessage());
            lookAgain();
        }
    }

    /** Opens the shards that were added for this server, closes those that were given away, and lets shards move. */
    private void look() {
        SortedMap<Integer, ShardPlace> heard = neighbours.places();
        SortedMap<Integer, ShardPlace> places = upToDate(heard);
        attempt(() -> {
            for (int number : neighbours.shards()) {
                // What this server has heard of the shard may be older than what it did with it.
                boolean isBehind = heard.containsKey(number) && !places.containsKey(number);
                if (!isBehind) {
                    attempt(() -> look(number, Optional.ofNullable(places.get(number))));
                }
            }
        });
        for (int number : List.copyOf(shards.keySet())) {
            ShardPlace place = places.get(number);
            if (place != null && (place.given() || (place.moved() && place.host() != around.serverId()))) {
                LOG.warn("shard {} was given away while it was open, and is closed", number);
                close(number);
            }
        }
        attempt(() -> leaving.look(places));
        attempt(() -> arriving.look(places));
    }

    private void look(int number, Optional<ShardPlace> place) throws IOException {
        open(number, AcceptedLoss.NONE);
        if (neighbours.isJoining(number)) {
            if (learning.add(number)) {
                learnFences(number);
            }
        } else if (place.filter(each -> !each.ready()).isPresent()) {
            neighbours.opened(number);
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

    /** The handlers of the shards, by number. They change while the server runs. May be read from any thread. */
    SortedMap<Integer, RequestHandler> doors() {
        return doors;
    }

    /** The status of each shard, by number. They change while the server runs. May be read from any thread. */
    SortedMap<Integer, Supplier<StatusReply>> accounts() {
        return accounts;
    }

    /** The shards by number. They change while the server runs. May be read from any thread. */
    SortedMap<Integer, HostedShard> all() {
        return shards;
    }

    /** Ends the moves, and then the shards, newest first. */
    @Override
    public void close() {
        scheduler.close();
        arriving.close();
        synchronized (this) {
            closed = true;
            while (!opened.isEmpty()) {
                opened.pop().close();
            }
        }
    }
}
