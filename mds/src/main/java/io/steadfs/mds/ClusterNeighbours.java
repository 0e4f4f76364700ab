package io.steadfs.mds;

import io.steadfs.config.Settings;
import io.steadfs.handle.Handle;
import io.steadfs.hello.Welcome;
import io.steadfs.membership.Allowed;
import io.steadfs.membership.DataDirectory;
import io.steadfs.membership.Membership;
import io.steadfs.membership.SequenceBlock;
import io.steadfs.membership.SequenceBlocks;
import io.steadfs.membership.ServerId;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.store.mark.AcceptedLoss;
import io.steadfs.store.mark.MarkPlace;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;

/** Implements {@link Neighbours} with ZooKeeper. Holds the lock of the server's directory. */
public final class ClusterNeighbours implements Neighbours {
    private final DataDirectory directory;
    private final Membership membership;
    private final SortedSet<Integer> configuredShards;
    private final String rack;
    private final AcceptedLoss acceptedLoss;

    private ClusterNeighbours(
            DataDirectory directory,
            Membership membership,
            SortedSet<Integer> configuredShards,
            String rack,
            AcceptedLoss acceptedLoss) {
        this.directory = directory;
        this.membership = membership;
        this.configuredShards = configuredShards;
        this.rack = rack;
        this.acceptedLoss = acceptedLoss;
    }

    /**
     * Joins the file system. Checks that the directory belongs to this server.
     *
     * @param rack the server's rack; empty if unknown
     * @throws io.steadfs.membership.MembershipException if the server may not take part, or cannot take part now
     */
    public static ClusterNeighbours join(int serverId, Path directory, String rack, Allowed allowed, Settings settings)
            throws IOException {
        DataDirectory held = DataDirectory.open(directory);
        try {
            return new ClusterNeighbours(
                    held,
                    Membership.open(settings, ServerId.mds(serverId), held, allowed.emptyDirectory()),
                    settings.get(ShardShare.CONFIGURED),
                    rack,
                    allowed.acceptedLoss());
        } catch (IOException | RuntimeException e) {
            held.close();
            throw e;
        }
    }

    @Override
    public ClusterMap map() {
        return membership.map();
    }

    @Override
    public SortedSet<Integer> shards() throws IOException {
        return ShardShare.of(
                configuredShards,
                membership.server().number(),
                membership.format().metadataServers(),
                membership.format().shardCount(),
                membership.hostedShards());
    }

    @Override
    public List<String> problems() {
        return membership.problems();
    }

    @Override
    public Welcome welcome() {
        return membership.welcome();
    }

    @Override
    public String superuser() {
        return membership.format().superuser();
    }

    @Override
    public void claim(int shard) throws IOException {
        membership.hostShard(shard);
    }

    @Override
    public MarkPlace marks(int shard) {
        return membership.marks(Handle.shardOwner(shard));
    }

    @Override
    public AcceptedLoss acceptedLoss() {
        return acceptedLoss;
    }

    @Override
    public HandleReserve reserve(int shard) throws IOException {
        SequenceBlocks sequence = membership.sequence(Handle.shardOwner(shard));
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
        membership.announce(address, rack, 0, 0);
    }

    @Override
    public void close() {
        membership.close();
        try {
            directory.close();
        } catch (IOException e) {
            throw new UncheckedIOException("data directory " + directory + " was not released", e);
        }
    }
}
