package io.steadfs.ioserver;

import io.steadfs.config.Settings;
import io.steadfs.hello.Welcome;
import io.steadfs.ioserver.lane.DatafileHandles;
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
import java.util.Optional;

/** {@link Neighbours} found through ZooKeeper. Holds the lock of the server's directory. */
public final class ClusterNeighbours implements Neighbours {
    /** A change of free space smaller than this part (one in 256) of the disk is not worth a write to ZooKeeper. */
    private static final long SPACE_PARTS = 256;

    /** Every this many reports, normally once a minute, the figures are also left behind in ZooKeeper. */
    private static final long REPORTS_OF_FIGURES = 12;

    private final DataDirectory directory;
    private final Membership membership;
    private final String rack;
    private final AcceptedLoss acceptedLoss;

    /** Guarded by this, as are the fields below. */
    private long reportedUsable;

    private long reportedStored;
    private long reports;

    private ClusterNeighbours(DataDirectory directory, Membership membership, String rack, AcceptedLoss acceptedLoss) {
        this.directory = directory;
        this.membership = membership;
        this.rack = rack;
        this.acceptedLoss = acceptedLoss;
    }

    /**
     * Checks that the directory belongs to this server.
     *
     * @param rack empty where unknown
     * @throws io.steadfs.membership.MembershipException if the server may not take part, or cannot at present
     */
    public static ClusterNeighbours join(int serverId, Path directory, String rack, Allowed allowed, Settings settings)
            throws IOException {
        DataDirectory held = DataDirectory.open(directory);
        try {
            return new ClusterNeighbours(
                    held,
                    Membership.open(settings, ServerId.io(serverId), held, allowed.emptyDirectory()),
                    rack,
                    allowed.acceptedLoss());
        } catch (IOException | RuntimeException e) {
            held.close();
            throw e;
        }
    }

    @Override
    public MarkPlace marks() {
        return membership.marks(membership.server().number());
    }

    @Override
    public AcceptedLoss acceptedLoss() {
        return acceptedLoss;
    }

    @Override
    public DatafileHandles.Source numbers() throws IOException {
        SequenceBlocks sequence = membership.sequence(membership.server().number());
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
        return Optional.of(membership.map());
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
    public List<String> problems() {
        return membership.problems();
    }

    @Override
    public synchronized void announce(ServerAddress address, long capacityBytes, long usableBytes) throws IOException {
        membership.announce(address, rack, capacityBytes, usableBytes);
        reportedUsable = usableBytes;
    }

    @Override
    public synchronized void reportSpace(long capacityBytes, long usableBytes, long storedBytes) {
        if (Math.abs(usableBytes - reportedUsable) > capacityBytes / SPACE_PARTS
                || (usableBytes == 0) != (reportedUsable == 0)) {
            membership.reportSpace(capacityBytes, usableBytes);
            reportedUsable = usableBytes;
        }
        reports++;
        if (reports % REPORTS_OF_FIGURES == 1
                || Math.abs(storedBytes - reportedStored) > capacityBytes / SPACE_PARTS
                || (storedBytes == 0) != (reportedStored == 0)) {
            membership.leaveFigures(capacityBytes, usableBytes, storedBytes, System.currentTimeMillis());
            reportedStored = storedBytes;
        }
    }

    @Override
    public void close() {
        membership.close();
        try {
            directory.close();
        } catch (IOException e) {
            throw new UncheckedIOException("data directory " + directory + " was not given free", e);
        }
    }
}
