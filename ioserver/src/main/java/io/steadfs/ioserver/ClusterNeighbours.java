package io.steadfs.ioserver;

import io.steadfs.config.Settings;
import io.steadfs.ioserver.lane.DatafileHandles;
import io.steadfs.membership.Allowed;
import io.steadfs.membership.JoinedServer;
import io.steadfs.membership.SequenceBlock;
import io.steadfs.membership.SequenceBlocks;
import io.steadfs.membership.ServerId;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.store.mark.MarkPlace;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;

/** Finds the {@link Neighbours} of an IO server through ZooKeeper. */
public final class ClusterNeighbours extends JoinedServer implements Neighbours {
    /**
     * If the free space has changed by at most 1/256 of the disk, the server does not write the change to ZooKeeper.
     */
    private static final long SPACE_PARTS = 256;

    /**
     * Number of reports after which the server also records its space in a lasting node in ZooKeeper. With the default
     * interval, that is once a minute.
     */
    private static final long REPORTS_OF_FIGURES = 12;

    /** The lock of this object guards this field and the fields below. */
    private long reportedUsable;

    private long reportedStored;
    private long reports;

    private ClusterNeighbours(ServerId server, Path directory, String rack, Allowed allowed, Settings settings)
            throws IOException {
        super(server, directory, rack, allowed, settings);
    }

    /**
     * Checks that the directory belongs to this server.
     *
     * @param rack rack of the server; empty = unknown
     * @throws io.steadfs.membership.MembershipException if the server may not join, or cannot join at present
     */
    public static ClusterNeighbours join(int serverId, Path directory, String rack, Allowed allowed, Settings settings)
            throws IOException {
        return new ClusterNeighbours(ServerId.io(serverId), directory, rack, allowed, settings);
    }

    @Override
    public MarkPlace marks() {
        return membership().marks(membership().server().number());
    }

    @Override
    public DatafileHandles.Source numbers() throws IOException {
        SequenceBlocks sequence = membership().sequence(membership().server().number());
        return new DatafileHandles.Source() {
            @Override
            public DatafileHandles.Block current() {
                SequenceBlock block = sequence.current();
                return new DatafileHandles.Block(block.incarnation(), block.first(), block.ceiling());
            }

            @Override
            public void used(long next) {
                sequence.used(next);
            }
        };
    }

    @Override
    public Optional<ClusterMap> map() {
        return Optional.of(membership().map());
    }

    @Override
    public CompletableFuture<Integer> confirmShards() {
        return membership().confirmShards();
    }

    @Override
    public synchronized void announce(ServerAddress address, long capacityBytes, long usableBytes) throws IOException {
        announceInRack(address, capacityBytes, usableBytes);
        reportedUsable = usableBytes;
    }

    @Override
    public synchronized void reportSpace(long capacityBytes, long usableBytes, long storedBytes) {
        if (Math.abs(usableBytes - reportedUsable) > capacityBytes / SPACE_PARTS
                || (usableBytes == 0) != (reportedUsable == 0)) {
            membership().reportSpace(capacityBytes, usableBytes);
            reportedUsable = usableBytes;
        }
        reports++;
        if (reports % REPORTS_OF_FIGURES == 1
                || Math.abs(storedBytes - reportedStored) > capacityBytes / SPACE_PARTS
                || (storedBytes == 0) != (reportedStored == 0)) {
            membership().leaveFigures(capacityBytes, usableBytes, storedBytes, System.currentTimeMillis());
            reportedStored = storedBytes;
        }
    }
}
