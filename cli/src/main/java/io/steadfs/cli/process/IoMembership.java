package io.steadfs.cli.process;

import io.steadfs.ioserver.Neighbours;
import io.steadfs.ioserver.lane.DatafileHandles;
import io.steadfs.membership.Membership;
import io.steadfs.membership.MembershipException;
import io.steadfs.membership.SequenceBlock;
import io.steadfs.membership.SequenceBlocks;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;
import java.util.Optional;

/** What an IO server needs of others, through ZooKeeper. */
final class IoMembership implements Neighbours {
    private final Membership membership;
    private final SequenceBlocks blocks;
    private final String rack;

    /** Reserves the first handles. */
    IoMembership(Membership membership, String rack) throws MembershipException {
        this.membership = membership;
        this.blocks = membership.sequence(membership.server().number());
        this.rack = rack;
    }

    @Override
    public DatafileHandles.Source numbers() {
        return new DatafileHandles.Source() {
            @Override
            public DatafileHandles.Block current() {
                SequenceBlock now = blocks.current();
                return new DatafileHandles.Block(now.incarnation(), now.first(), now.ceiling());
            }

            @Override
            public void used(long next) {
                blocks.used(next);
            }
        };
    }

    @Override
    public Optional<ClusterMap> map() {
        return Optional.of(membership.map());
    }

    @Override
    public void announce(ServerAddress address, long capacityBytes, long usableBytes) throws IOException {
        membership.announce(address, rack, capacityBytes, usableBytes);
    }

    @Override
    public void reportSpace(long capacityBytes, long usableBytes) {
        membership.reportSpace(capacityBytes, usableBytes);
    }

    @Override
    public void close() {
        membership.close();
    }
}
