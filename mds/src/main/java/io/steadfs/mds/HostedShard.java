package io.steadfs.mds;

import io.steadfs.config.Settings;
import io.steadfs.disk.Space;
import io.steadfs.mds.call.ThreadsOfUsers;
import io.steadfs.mds.move.StoreDirectories;
import io.steadfs.mds.salvage.ShardLoss;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.membership.ShardPlace;
import io.steadfs.rpc.RequestHandler;
import io.steadfs.rpc.Transport;
import io.steadfs.server.OpenedParts;
import io.steadfs.server.Revival;
import io.steadfs.server.RevivalThread;
import io.steadfs.store.mark.AcceptedLoss;
import io.steadfs.store.mark.StoreMarks;
import io.steadfs.time.Clock;
import io.steadfs.time.ThreadScheduler;
import io.steadfs.wire.proto.ClusterMap;
import io.steadfs.wire.proto.StatusReply;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/**
 * One shard of a process, with its own store, its own writer and its own thread for duties. If the store fails, {@link
 * Revival} starts a new {@link ShardLife} of the shard with what the disk kept. The other shards of the process go on.
 */
final class HostedShard implements AutoCloseable {
    private final OpenedParts opened = new OpenedParts();
    private final int number;
    private final Surroundings around;
    private final Revival revival;
    private final ShardPlace place;
    private volatile Optional<ShardLife> newest = Optional.empty();

    /** What all shards of a process share. The owner closes the shared objects after the shards. */
    record Surroundings(
            int serverId,
            StoreDirectories stores,
            Space space,
            String superuser,
            Clock clock,
            Transport transport,
            ThreadsOfUsers longReads,
            Neighbours neighbours,
            Settings settings) {}

    /**
     * Claims the shard, opens its store and begins to serve. A store that has arrived is put in its place first. Refuses a
     * store that is an older state of itself, unless the operator accepts the loss.
     *
     * @param acceptedLoss which loss of the store the operator accepts
     * @throws IOException if another server hosts the shard, or if the store is refused or cannot be opened; nothing is
     *     left open then
     */
    HostedShard(int number, Surroundings around, AcceptedLoss acceptedLoss) throws IOException {
        this.number = number;
        this.around = around;
        try {
            place = around.neighbours().claim(number);
            around.stores().settleArrived(number);
            StoreMarks marks = new StoreMarks(
                    "shard " + number,
                    ShardTables.META,
                    around.neighbours().marks(number),
                    around.clock(),
                    ShardLoss::write,
                    acceptedLoss);
            String threads = "mds-" + around.serverId() + "-shard-" + number;
            ThreadScheduler scheduler = opened.keep(new ThreadScheduler(threads + "-duties"));
            RevivalThread reviving = opened.keep(new RevivalThread(threads + "-revival"));
            revival = opened.keep(new Revival(
                    new Revival.Name(ClusterMap.Role.MDS, around.serverId(), "shard " + number),
                    () -> {
                        ShardLife life = new ShardLife(number, around, scheduler, marks);
                        newest = Optional.of(life);
                        return life;
                    },
                    around.space(),
                    scheduler,
                    reviving,
                    around.clock()));
        } catch (IOException | RuntimeException e) {
            opened.close();
            throw e;
        }
    }

    int number() {
        return number;
    }

    /** The place of the shard, as it was when the shard was opened. */
    ShardPlace place() {
        return place;
    }

    /**
     * Makes a copy of the store's present state in a directory that does not exist yet.
     *
     * @throws IOException if the store cannot be copied now
     */
    void checkpoint(Path target) throws IOException {
        ShardLife life = newest.orElseThrow(() -> new IOException("shard " + number + " does not serve now"));
        life.checkpoint(target);
    }

    /** The handler that takes the requests of this shard. */
    RequestHandler door() {
        return revival;
    }

    /**
     * Learns of more shards, as {@link ShardService#learnShards} does. A shard that has no life now fails; its next life
     * begins with the newest map.
     */
    CompletableFuture<Integer> learnShards() {
        return newest.map(ShardLife::learnShards).orElseGet(this::hasNoLife);
    }

    /** Learns the fences of the other shards, as {@link ShardService#learnFences} does. */
    CompletableFuture<Boolean> learnFences() {
        return newest.map(ShardLife::learnFences).orElseGet(this::hasNoLife);
    }

    private <T> CompletableFuture<T> hasNoLife() {
        return CompletableFuture.failedFuture(new IOException("shard " + number + " does not serve now"));
    }

    /** Why the shard does not serve everything; empty if it serves everything. */
    Optional<String> trouble() {
        return revival.trouble();
    }

    /** The status of the shard. The call also works while the shard has no {@link ShardLife}. */
    StatusReply status() {
        StatusReply.Builder status = newest.flatMap(ShardLife::account)
                .map(StatusReply::toBuilder)
                .orElseGet(() ->
                        StatusReply.newBuilder().setRole(ClusterMap.Role.MDS).setId(around.serverId()));
        revival.report(status);
        return status.build();
    }

    /** Ends the duties and the current batch, and closes the store. */
    @Override
    public void close() {
        opened.close();
    }
}
