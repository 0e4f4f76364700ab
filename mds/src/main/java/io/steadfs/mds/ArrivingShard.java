package io.steadfs.mds;

import io.steadfs.mds.move.RemoteStore;
import io.steadfs.mds.move.StoreCopy;
import io.steadfs.mds.move.StoreDirectories;
import io.steadfs.mds.move.StoreDoor;
import io.steadfs.membership.SequenceRecord;
import io.steadfs.membership.ServerId;
import io.steadfs.membership.ShardPlace;
import io.steadfs.wire.FrameLimits;
import io.steadfs.wire.proto.ListStoreFilesReply;
import java.io.IOException;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One move of a shard to this metadata server, on a thread of its own:
 *
 * <pre>
 *  passes     copies of present states, while the host serves, until a pass has little to copy
 *  last pass  the host closes the store for good; the rest of it is copied
 *  arrived    everything is durable here
 *  taken      this server is the host, if the move was not cancelled meanwhile
 * </pre>
 *
 * After a failure the move goes on where it was. If this process ends before the store has arrived, the next process
 * begins to copy anew.
 */
final class ArrivingShard implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ArrivingShard.class);

    /** If a pass copied no more than this, the last pass is short enough. */
    static final long LITTLE_BYTES = 64L << 20;

    /** A store that changes faster than it is copied is stopped after so many passes. */
    static final int MOST_PASSES = 4;

    private static final long AGAIN_MILLIS = 1_000;
    private static final long STOP_MILLIS = 10_000;

    private final ServerId server;
    private final int shard;
    private final ServerId from;
    private final int move;
    private final HostedShards hosted;
    private final HostedShard.Surroundings around;
    private final RemoteStore remote;
    private final Thread thread;

    private volatile boolean cancelled;
    private volatile boolean ended;
    /** Why the move does not go on now. Empty if it does. */
    private volatile Optional<String> trouble = Optional.empty();

    // The rest is the thread's own.
    private @Nullable StoreCopy copy;
    private int passes;
    private boolean isSmallEnough;
    private long stoppedNanos;
    private boolean hasArrived;

    /**
     * @param place says that the shard moves to this server
     * @param afterwards runs when the thread has nothing more to do
     */
    ArrivingShard(
            int shard, ShardPlace place, HostedShards hosted, HostedShard.Surroundings around, Runnable afterwards) {
        this.server = ServerId.mds(around.serverId());
        this.shard = shard;
        this.from = ServerId.mds(place.host());
        this.move = place.move();
        this.hosted = hosted;
        this.around = around;
        this.remote = new RemoteStore(
                around.transport(),
                around.neighbours()::map,
                place.host(),
                new StoreDoor.Move(shard, around.serverId(), move),
                FrameLimits.from(around.settings()).payloadBytes());
        this.thread = new Thread(
                () -> {
                    try {
                        run();
                    } finally {
                        ended = true;
                        afterwards.run();
                    }
                },
                server + "-shard-" + shard + "-arrives");
        thread.setDaemon(true);
    }

    void start() {
        thread.start();
    }

    /** Whether the place still says that the shard moves here, in this move. */
    boolean isMeantBy(ShardPlace place) {
        return place.movesTo() == server.number() && place.move() == move;
    }

    /** Whether the thread has nothing more to do. */
    boolean hasEnded() {
        return ended;
    }

    /** Why the move does not go on now, for people. Empty if it does. Any thread may call this method. */
    Optional<String> trouble() {
        return trouble.map(why -> "shard " + shard + " moves from " + from + " to " + server + ": " + why);
    }

    /** Lets the thread end soon. Does not wait. */
    void cancel() {
        cancelled = true;
        thread.interrupt();
    }

    /** Ends the thread, and waits until it has ended. */
    @Override
    public void close() {
        cancel();
        try {
            thread.join(STOP_MILLIS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        if (thread.isAlive()) {
            LOG.warn("{} does not end", thread.getName());
        }
    }

    private void run() {
        LOG.info("shard {} begins to move from {} to {}", shard, from, server);
        try {
            while (!cancelled && !isOver()) {
                TimeUnit.MILLISECONDS.sleep(AGAIN_MILLIS);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            LOG.debug("{} is interrupted", thread.getName(), e);
        }
    }

    /** Goes on with the move. Returns whether there is nothing more to do. */
    private boolean isOver() throws InterruptedException {
        try {
            boolean isOver = goOn();
            trouble = Optional.empty();
            return isOver;
        } catch (IOException | RuntimeException e) {
            String why = String.valueOf(e.getMessage());
            if (!cancelled && !trouble.equals(Optional.of(why))) {
                LOG.warn("shard {} does not move on from {} to {}: {}", shard, from, server, why);
            }
            trouble = Optional.of(why);
            return false;
        }
    }

    private boolean goOn() throws IOException, InterruptedException {
        ShardPlace place = around.neighbours().confirm(shard);
        hosted.know(shard, place.version());
        boolean isTaken = place.host() == server.number() && place.moved() && place.version() == move + 2;
        if (isTaken) {
            taken(place.version());
            return true;
        }
        if (!isMeantBy(place)) {
            LOG.info("shard {} does not move from {} to {} any more", shard, from, server);
            return true;
        }
        if (!hasArrived) {
            copy(place.given());
        }
        OptionalInt version = around.neighbours().take(shard, move);
        version.ifPresent(this::taken);
        return true;
    }

    private void copy(boolean isGiven) throws IOException, InterruptedException {
        StoreCopy copying = begun();
        while (!isGiven && !isSmallEnough) {
            long bytes = copying.pass(remote.list(false), false);
            passes++;
            isSmallEnough = bytes <= LITTLE_BYTES || passes >= MOST_PASSES;
            LOG.info("pass {} copied {} bytes of shard {} from {} to {}", passes, bytes, shard, from, server);
        }
        if (stoppedNanos == 0) {
            stoppedNanos = System.nanoTime();
        }
        ListStoreFilesReply last = remote.list(true);
        copying.pass(last, true);
        passes++;
        around.neighbours().adoptReserve(shard, new SequenceRecord(last.getIncarnation(), last.getCeiling()));
        around.stores().completeArriving(shard);
        hasArrived = true;
    }

    private StoreCopy begun() throws IOException {
        StoreCopy present = copy;
        if (present == null) {
            StoreDirectories stores = around.stores();
            present = new StoreCopy(
                    remote, stores.beginArriving(shard), around.space(), "metadata server " + around.serverId());
            copy = present;
        }
        return present;
    }

    private void taken(int version) {
        long bytes = copy == null ? 0 : copy.copiedBytes();
        long sinceNanos = stoppedNanos == 0 ? System.nanoTime() : stoppedNanos;
        int all = passes;
        hosted.openTaken(
                shard,
                version,
                () -> LOG.info(
                        "shard {} has moved from {} to {}: {} bytes in {} passes; it was stopped for {} ms",
                        shard,
                        from,
                        server,
                        bytes,
                        all,
                        TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - sinceNanos)));
    }
}
