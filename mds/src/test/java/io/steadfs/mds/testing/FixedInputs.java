package io.steadfs.mds.testing;

import io.steadfs.cluster.ConfirmedShards;
import io.steadfs.cluster.ShardCounts;
import io.steadfs.handle.Handle;
import io.steadfs.hello.TestHello;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.StartTokens;
import io.steadfs.wire.proto.ClusterMap;
import java.util.concurrent.CompletableFuture;

/** Inputs of shard 0 in a cluster of two IO servers. */
public final class FixedInputs {
    public static final long WALL_MILLIS = 1_700_000_000_000L;

    public static final ClusterMap CLUSTER = ClusterMap.newBuilder()
            .setEpoch(7)
            .setShardCount(1)
            .setStripSize(1 << 20)
            .setWidth(2)
            .setBlockSize(128 << 20)
            .addServers(io(1))
            .addServers(io(2))
            .build();

    public static final StartTokens STARTS = StartTokens.of(() -> TestHello.SECRET);

    private FixedInputs() {}

    public static Inputs now() {
        return new Inputs(WALL_MILLIS, 0, CLUSTER, 0, 1, Handle.MAX_SEQUENCE, STARTS);
    }

    private static ClusterMap.Server io(int id) {
        return ClusterMap.Server.newBuilder()
                .setRole(ClusterMap.Role.IO)
                .setId(id)
                .setHost("io-" + id)
                .setPort(9000 + id)
                .setAlive(true)
                .build();
    }

    /** A file system to which no shard was added. */
    public static ShardCounts counts(int shards) {
        return new ShardCounts(shards, shards, shards);
    }

    /** Counts so many shards at once. */
    public static ConfirmedShards confirmed(int shards) {
        return () -> CompletableFuture.completedFuture(shards);
    }
}
