package io.steadfs.mds;

import io.steadfs.mds.move.StoreDirectories;
import io.steadfs.membership.ServerId;
import io.steadfs.membership.ShardPlace;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.concurrent.ConcurrentSkipListMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shards that move to a metadata server. Begins to copy them, and removes what has arrived of a move that was
 * cancelled. The thread of {@link HostedShards} calls {@link #look}.
 */
final class ArrivingShards implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(ArrivingShards.class);

    private final ServerId server;
    private final HostedShards hosted;
    private final HostedShard.Surroundings around;
    private final StoreDirectories stores;
    private final Runnable afterwards;
    private final Map<Integer, ArrivingShard> moves = new ConcurrentSkipListMap<>();

    /** @param afterwards runs when a move has ended, on any thread; must not wait */
    ArrivingShards(HostedShards hosted, HostedShard.Surroundings around, Runnable afterwards) {
        this.server = ServerId.mds(around.serverId());
        this.hosted = hosted;
        this.around = around;
        this.stores = around.stores();
        this.afterwards = afterwards;
    }

    /** Why shards do not move on to this server, one line each. Any thread may call this method. */
    List<String> troubles() {
        return moves.values().stream()
                .map(ArrivingShard::trouble)
                .flatMap(Optional::stream)
                .toList();
    }

    /** @param places of the shards, as far as they are known */
    void look(SortedMap<Integer, ShardPlace> places) throws IOException {
        moves.values().removeIf(ArrivingShard::hasEnded);
        moves.forEach((shard, move) -> {
            ShardPlace place = places.get(shard);
            if (place != null && !move.isMeantBy(place)) {
                move.cancel();
            }
        });
        places.forEach((shard, place) -> {
            if (place.movesTo() == server.number() && !moves.containsKey(shard)) {
                ArrivingShard move = new ArrivingShard(shard, place, hosted, around, afterwards);
                moves.put(shard, move);
                move.start();
            }
        });
        for (int shard : stores.shards()) {
            if (!moves.containsKey(shard)) {
                removeCancelled(shard);
            }
        }
    }

    /** Removes what has arrived of a shard that is not to come any more. */
    private void removeCancelled(int shard) throws IOException {
        if (!stores.hasArriving(shard) || hosted.find(shard).isPresent()) {
            return;
        }
        ShardPlace place = around.neighbours().confirm(shard);
        if (place.host() != server.number() && place.movesTo() != server.number()) {
            around.neighbours().forgetReserve(shard);
            stores.removeArriving(shard);
            LOG.info("the move of shard {} to {} was cancelled, and what had arrived is removed", shard, server);
        }
    }

    @Override
    public void close() {
        moves.values().forEach(ArrivingShard::cancel);
        moves.values().forEach(ArrivingShard::close);
    }
}
