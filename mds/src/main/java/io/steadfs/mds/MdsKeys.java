package io.steadfs.mds;

import io.steadfs.config.ConfigKeys;
import io.steadfs.disk.Space;
import io.steadfs.mds.call.LongReads;
import io.steadfs.mds.call.SlowReads;
import io.steadfs.mds.copy.ShardCopies;
import io.steadfs.mds.duty.IoServers;
import io.steadfs.mds.duty.PoolLimits;
import io.steadfs.mds.op.ground.NamespaceLimits;
import io.steadfs.mds.op.ground.PartitionLimits;
import io.steadfs.mds.peer.PeerShards;
import io.steadfs.mds.pipeline.DirectoryTimes;
import io.steadfs.mds.pipeline.ShardLimits;
import io.steadfs.mds.pipeline.WriterPacing;
import io.steadfs.mds.session.FileLimits;
import io.steadfs.mds.session.SessionTimes;
import io.steadfs.server.Administrators;
import java.util.List;

/**
 * All configuration keys of the metadata server itself. The keys of the network, of the store and of the membership are
 * in their own packages.
 */
public final class MdsKeys {
    public static final ConfigKeys KEYS = ShardLimits.KEYS
            .and(WriterPacing.KEYS)
            .and(Space.KEYS)
            .and(Administrators.KEYS)
            .and(NamespaceLimits.KEYS)
            .and(PartitionLimits.KEYS)
            .and(PoolLimits.KEYS)
            .and(new ConfigKeys(List.of(
                    ShardShare.CONFIGURED,
                    ChangeRoutes.SPREAD_DEPTH,
                    ShardLife.ROW_BYTES,
                    SessionTimes.DURATION,
                    SessionTimes.MOST,
                    SessionTimes.MOST_OF_USER,
                    DirectoryTimes.CONFIGURED,
                    FileLimits.WRITTEN,
                    FileLimits.UNNAMED,
                    LongReads.THREADS,
                    LongReads.QUEUE,
                    SlowReads.DELAY,
                    IoServers.TIMEOUT,
                    PeerShards.TIMEOUT,
                    ShardCopies.TERM)));

    private MdsKeys() {}
}
