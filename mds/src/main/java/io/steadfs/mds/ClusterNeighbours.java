package io.steadfs.mds;

import io.steadfs.config.Settings;
import io.steadfs.handle.Handle;
import io.steadfs.membership.Allowed;
import io.steadfs.membership.FileSystemFormat;
import io.steadfs.membership.JoinedServer;
import io.steadfs.membership.SequenceBlock;
import io.steadfs.membership.SequenceBlocks;
import io.steadfs.membership.SequenceRecord;
import io.steadfs.membership.ServerId;
import io.steadfs.membership.ShardPlace;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.store.mark.MarkPlace;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.OptionalInt;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.function.Supplier;

/** Implements {@link Neighbours} with ZooKeeper. */
public final class ClusterNeighbours extends JoinedServer implements Neighbours {
    private final SortedSet<Integer> configuredShards;

    private ClusterNeighbours(
            SortedSet<Integer> configuredShards,
            ServerId server,
            Path directory,
            String rack,
            Allowed allowed,
            Settings settings)
            throws IOException {
        super(server, directory, rack, allowed, settings);
        this.configuredShards = configuredShards;
    }

    /**
     * Joins the file system. Checks that the directory belongs to this server.
     *
     * @param rack the server's rack; empty if unknown
     * @throws io.steadfs.membership.MembershipException if the server may not take part, or cannot take part now
     */
    public static ClusterNeighbours join(int serverId, Path directory, String rack, Allowed allowed, Settings settings)
            throws IOException {
        return new ClusterNeighbours(
                settings.get(ShardShare.CONFIGURED), ServerId.mds(serverId), directory, rack, allowed, settings);
    }

    @Override
    public ClusterMap map() {
        return membership().map();
    }

    @Override
    public SortedSet<Integer> shards() throws IOException {
        FileSystemFormat format = membership().format();
        int server = membership().server().number();
        SortedSet<Integer> before = new TreeSet<>(membership().hostedShards());
        before.addAll(format.addedFor(server));
        SortedSet<Integer> shards =
                ShardShare.of(configuredShards, server, format.metadataServers(), format.shards(), before);
        places().forEach((shard, place) -> {
            boolean isElsewhere = place.moved() && place.host() != server;
            boolean isGiven = place.given() && place.host() == server;
            if (isElsewhere || isGiven) {
                shards.remove(shard);
            }
        });
        return shards;
    }

    @Override
    public CompletableFuture<Integer> confirmShards() {
        return membership().confirmShards();
    }

    @Override
    public boolean isJoining(int shard) {
        return membership().format().joining().contains(shard);
    }

    @Override
    public void ready(int shard) throws IOException {
        membership().shardIsReady(shard);
    }

    @Override
    public void opened(int shard) throws IOException {
        membership().shardIsOpen(shard);
    }

    @Override
    public void learnShardsBy(Supplier<CompletableFuture<?>> learning) {
        membership().learnShardsBy(learning);
    }

    @Override
    public ShardPlace claim(int shard) throws IOException {
        return membership().hostShard(shard);
    }

    @Override
    public SortedMap<Integer, ShardPlace> places() {
        return membership().shardPlaces();
    }

    @Override
    public void tellPlaces(Runnable changed) {
        membership().tellPlaces(changed);
    }

    @Override
    public ShardPlace confirm(int shard) throws IOException {
        return membership().confirmPlace(shard);
    }

    @Override
    public ShardPlace give(int shard, int target, int move) throws IOException {
        return membership().giveShard(shard, target, move);
    }

    @Override
    public OptionalInt take(int shard, int move) throws IOException {
        return membership().takeShard(shard, move);
    }

    @Override
    public SequenceRecord stopReserving(int shard) throws IOException {
        return membership().stopReserving(Handle.shardOwner(shard));
    }

    @Override
    public void adoptReserve(int shard, SequenceRecord record) throws IOException {
        membership().adoptSequence(Handle.shardOwner(shard), record);
    }

    @Override
    public void forgetReserve(int shard) throws IOException {
        membership().forgetSequence(Handle.shardOwner(shard));
    }

    @Override
    public MarkPlace marks(int shard) {
        return membership().marks(Handle.shardOwner(shard));
    }

    @Override
    public HandleReserve reserve(int shard) throws IOException {
        SequenceBlocks sequence = membership().sequence(Handle.shardOwner(shard));
        return new HandleReserve() {
            @Override
            public Block block() {
                SequenceBlock block = sequence.current();
                return new Block(block.incarnation(), block.first(), block.ceiling());
            }

            @Override
            public void used(long next) {
                sequence.used(next);
            }
        };
    }

    @Override
    public void announce(ServerAddress address) throws IOException {
        announceInRack(address, 0, 0);
    }
}
