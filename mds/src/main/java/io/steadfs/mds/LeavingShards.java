package io.steadfs.mds;

import io.steadfs.error.FsError;
import io.steadfs.error.FsException;
import io.steadfs.mds.move.StoreDirectories;
import io.steadfs.mds.move.StoreDoor;
import io.steadfs.mds.move.StoreFiles;
import io.steadfs.membership.SequenceRecord;
import io.steadfs.membership.ServerId;
import io.steadfs.membership.ShardPlace;
import io.steadfs.store.rocks.StoreSalvage;
import io.steadfs.wire.proto.ListStoreFilesReply;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.SortedMap;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The shards of a metadata server that move to other servers. Answers the other servers, and removes what they have taken.
 * The thread of {@link HostedShards} calls all methods but {@link #directory}.
 */
final class LeavingShards implements StoreDoor.Stores {
    private static final Logger LOG = LoggerFactory.getLogger(LeavingShards.class);

    private final ServerId server;
    private final HostedShards hosted;
    private final Neighbours neighbours;
    private final StoreDirectories stores;

    LeavingShards(HostedShards hosted, HostedShard.Surroundings around) {
        this.server = ServerId.mds(around.serverId());
        this.hosted = hosted;
        this.neighbours = around.neighbours();
        this.stores = around.stores();
    }

    @Override
    public ListStoreFilesReply list(StoreDoor.Move move, boolean last) throws IOException {
        return last ? give(move) : copy(move);
    }

    /** Makes a copy of the present state, while the shard serves. An earlier copy is removed. */
    private ListStoreFilesReply copy(StoreDoor.Move move) throws IOException {
        int shard = move.shard();
        ShardPlace place = neighbours.confirm(shard);
        check(move, place);
        hosted.know(shard, place.version());
        Optional<HostedShard> open = hosted.find(shard);
        if (open.isEmpty()) {
            throw new FsException(FsError.UNAVAILABLE, "shard " + shard + " is not open at " + server);
        }
        stores.removeMoving(shard);
        open.get().checkpoint(stores.moving(shard));
        return listed(stores.moving(shard)).build();
    }

    /**
     * Closes the shard for good, unless the move is cancelled. Whoever asks again gets the same list, also from a later
     * process of this server.
     */
    private ListStoreFilesReply give(StoreDoor.Move move) throws IOException {
        int shard = move.shard();
        Path store = stores.of(shard);
        Optional<Path> salvaged = StoreSalvage.interrupted(store);
        if (salvaged.isPresent()) {
            throw new FsException(
                    FsError.UNAVAILABLE, "the salvage of " + store + " was interrupted; run bin/stead salvage again");
        }
        hosted.closeGiven(shard, neighbours.give(shard, move.asker(), move.number()));
        // If the shard has arrived and was never opened, its store is not in its place yet.
        stores.settleArrived(shard);
        SequenceRecord reserved = neighbours.stopReserving(shard);
        return listed(store)
                .setIncarnation(reserved.incarnation())
                .setCeiling(reserved.ceiling())
                .build();
    }

    private static ListStoreFilesReply.Builder listed(Path store) throws IOException {
        ListStoreFilesReply.Builder list = ListStoreFilesReply.newBuilder();
        for (StoreFiles.Listed file : StoreFiles.list(store)) {
            list.addFiles(ListStoreFilesReply.File.newBuilder()
                    .setName(file.name())
                    .setLength(file.length())
                    .setModifiedNanos(file.modifiedNanos()));
        }
        return list;
    }

    /** Called by any thread. */
    @Override
    public Path directory(StoreDoor.Move move, boolean last) throws IOException {
        ShardPlace place = hosted.places().get(move.shard());
        if (place == null) {
            throw new FsException(FsError.UNAVAILABLE, server + " does not know where shard " + move.shard() + " is");
        }
        check(move, place);
        if (last && !place.given()) {
            throw new FsException(FsError.NOT_OWNER, "shard " + move.shard() + " is not given yet");
        }
        return last ? stores.of(move.shard()) : stores.moving(move.shard());
    }

    private void check(StoreDoor.Move move, ShardPlace place) throws FsException {
        if (place.host() != server.number() || place.movesTo() != move.asker() || place.move() != move.number()) {
            throw new FsException(FsError.NOT_OWNER, server + " does not know " + move + "; " + place);
        }
    }

    /**
     * Removes the stores of shards that have moved away, and copies that nobody needs any more.
     *
     * @param places of the shards, as far as they are known
     */
    void look(SortedMap<Integer, ShardPlace> places) throws IOException {
        for (int shard : stores.shards()) {
            ShardPlace place = places.get(shard);
            if (place == null) {
                continue;
            }
            if (isGone(place)) {
                removeGone(shard);
            } else if (place.host() == server.number() && place.movesTo() == 0) {
                stores.removeMoving(shard);
            }
        }
    }

    /** Whether another server has taken the shard. While it moves back, its old store waits for the new one. */
    private boolean isGone(ShardPlace place) {
        return place.moved() && place.host() != server.number() && place.movesTo() != server.number();
    }

    private void removeGone(int shard) throws IOException {
        boolean isThere = Files.exists(stores.of(shard)) || Files.exists(stores.moving(shard));
        if (!isThere || hosted.find(shard).isPresent()) {
            return;
        }
        ShardPlace place = neighbours.confirm(shard);
        if (isGone(place)) {
            neighbours.forgetReserve(shard);
            stores.removeGone(shard);
            LOG.info("shard {} is at {} now; its store at {} is removed", shard, ServerId.mds(place.host()), server);
        }
    }
}
