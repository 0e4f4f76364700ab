package io.steadfs.mds.op.give;

import io.steadfs.handle.Handle;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.PartitionLimits;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.store.ReadView;

/**
 * Begins to give all names of a partition to the partition from which it was split, if it has few. From now on none of
 * these names changes, until they are given or {@link EndGiving} says that they stay. Answers whether it began.
 */
public final class BeginMerge extends InternalCommand<Boolean> {
    private final Handle directory;
    private final PartitionLimits limits;
    private final long mostBytes;

    /**
     * @param directory a partition
     * @param mostBytes the most bytes of names and rows that are given at once; they go in one message
     */
    public BeginMerge(Handle directory, PartitionLimits limits, long mostBytes) {
        this.directory = directory;
        this.limits = limits;
        this.mostBytes = mostBytes;
    }

    @Override
    public Decision<Boolean> decide(ReadView view, Inputs inputs) {
        return OwnPart.find(directory, new Context(BeginGiving.NOBODY, view, inputs))
                .filter(part -> !part.names().row().hasGiving()
                        && part.partition().isUpperHalf()
                        && DirectoryNode.entries(view, directory) <= limits.few()
                        && new GivenRange(directory, part.partition()).canMove(mostBytes, view))
                .map(part -> Decision.of(true, part.marked(part.partition(), true, part.home())))
                .orElseGet(() -> Decision.of(false));
    }
}
