package io.steadfs.mds.op.give;

import io.steadfs.handle.Handle;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.PartitionLimits;
import io.steadfs.mds.op.ground.SpreadShards;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.store.ReadView;
import java.util.Set;

/**
 * Begins to give the upper half of a directory's names to another shard, if the directory has too many. From now on none
 * of these names changes, until they are given or {@link EndGiving} says that they stay. Answers whether it began.
 */
public final class BeginGiving extends InternalCommand<Boolean> {
    static final Principal NOBODY = new Principal("", Set.of(), true, 0);

    private final Handle directory;
    private final PartitionLimits limits;
    private final long mostBytes;

    /**
     * @param directory a directory, or a partition of one
     * @param mostBytes the most bytes of names and rows that are given at once; they go in one message
     */
    public BeginGiving(Handle directory, PartitionLimits limits, long mostBytes) {
        this.directory = directory;
        this.limits = limits;
        this.mostBytes = mostBytes;
    }

    @Override
    public Decision<Boolean> decide(ReadView view, Inputs inputs) {
        Context context = new Context(NOBODY, view, inputs);
        return OwnPart.find(directory, context)
                .filter(part -> !part.names().row().hasGiving()
                        && isTooLarge(part, context)
                        && target(part, context) != context.inputs().shard()
                        && new GivenRange(directory, part.partition().upperHalf(directory)).canMove(mostBytes, view))
                .map(part -> Decision.of(
                        true, part.marked(part.partition().upperHalf(directory), false, target(part, context))))
                .orElseGet(() -> Decision.of(false));
    }

    private boolean isTooLarge(OwnPart part, Context context) {
        return DirectoryNode.entries(context.view(), directory) > limits.entries()
                && part.partition().depth() < limits.mostSplits(SpreadShards.of(part.names(), context));
    }

    /**
     * The shard of the new partition. It is this shard if the directory is spread evenly over a number of shards that is a
     * power of two. More partitions help nobody then.
     */
    private static int target(OwnPart part, Context context) {
        return SpreadShards.ofPartition(
                part.partition().upperHalf(part.names().handle()).number(),
                part.home(),
                SpreadShards.of(part.names(), context),
                context);
    }
}
