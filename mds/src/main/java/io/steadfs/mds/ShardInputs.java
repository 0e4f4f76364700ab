package io.steadfs.mds;

import io.steadfs.mds.handle.HandleSequence;
import io.steadfs.mds.pipeline.DirectoryTimes;
import io.steadfs.mds.pipeline.InputSource;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.StartTokens;
import io.steadfs.store.ReadView;
import io.steadfs.time.Clock;
import io.steadfs.wire.proto.ClusterMap;
import java.util.Optional;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;

/**
 * Supplies the inputs that decisions and queries of a shard need besides the state. Each use takes all inputs at one
 * moment.
 */
final class ShardInputs implements InputSource {
    private final Clock clock;
    private final int shard;
    private final Supplier<ClusterMap> cluster;
    private final HandleReserve reserve;
    private final Supplier<Optional<String>> full;
    private final StartTokens starts;
    private final DirectoryTimes times;
    private final DoubleSupplier namesPerSecond;

    /**
     * @param full says why nothing new may be stored; empty if there is space
     * @param namesPerSecond how many names the shard makes in a second, of late
     */
    ShardInputs(
            Clock clock,
            int shard,
            Supplier<ClusterMap> cluster,
            HandleReserve reserve,
            Supplier<Optional<String>> full,
            StartTokens starts,
            DirectoryTimes times,
            DoubleSupplier namesPerSecond) {
        this.clock = clock;
        this.shard = shard;
        this.cluster = cluster;
        this.reserve = reserve;
        this.full = full;
        this.starts = starts;
        this.times = times;
        this.namesPerSecond = namesPerSecond;
    }

    /**
     * The inputs for a batch. This method also checks the free space of the disk, and reserves more handles in time.
     */
    @Override
    public Inputs now(ReadView state) {
        Inputs inputs = forRead();
        reserve.used(Math.max(inputs.sequenceFirst(), HandleSequence.next(state, inputs.incarnation())));
        return inputs.with(full.get()).withNamesPerSecond(namesPerSecond.getAsDouble());
    }

    Inputs forRead() {
        HandleReserve.Block block = reserve.block();
        return new Inputs(
                        clock.wallMillis(),
                        shard,
                        cluster.get(),
                        block.incarnation(),
                        block.first(),
                        block.ceiling(),
                        starts)
                .with(times);
    }
}
