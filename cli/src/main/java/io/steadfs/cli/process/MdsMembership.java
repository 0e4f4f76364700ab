package io.steadfs.cli.process;

import io.steadfs.handle.Handle;
import io.steadfs.mds.HandleReserve;
import io.steadfs.mds.Neighbours;
import io.steadfs.membership.Membership;
import io.steadfs.membership.SequenceBlock;
import io.steadfs.membership.SequenceBlocks;
import io.steadfs.rpc.ServerAddress;
import io.steadfs.wire.proto.ClusterMap;
import java.io.IOException;

/** What a metadata server needs of others, through ZooKeeper. */
final class MdsMembership implements Neighbours {
    private final Membership membership;
    private final String rack;

    MdsMembership(Membership membership, String rack) {
        this.membership = membership;
        this.rack = rack;
    }

    @Override
    public ClusterMap map() {
        return membership.map();
    }

    @Override
    public String superuser() {
        return membership.format().superuser();
    }

    @Override
    public HandleReserve host(int shard) throws IOException {
        membership.hostShard(shard);
        SequenceBlocks blocks = membership.sequence(Handle.shardOwner(shard));
        return new HandleReserve() {
            @Override
            public Block block() {
                SequenceBlock now = blocks.current();
                return new Block(now.incarnation(), now.first(), now.ceiling());
            }

            @Override
            public void used(long next) {
                blocks.used(next);
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
    }
}
