package io.steadfs.mds.op.give;

import io.steadfs.handle.Handle;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.DirectoryNode;
import io.steadfs.mds.op.ground.PartitionLimits;
import io.steadfs.mds.partition.proto.GivingRow.What;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.store.ReadView;
import java.util.Comparator;
import java.util.Optional;

/**
 * Begins to give all names of a partition to the partition from which it was split, if it has few. From now on none of
 * these names changes, until they are given or {@link EndGiving} says that they stay. Answers whether it began.
 */
public final class BeginMerge extends InternalCommand<Boolean> {
    private final Handle directory;
    private final PartitionLimits limits;
    private final long mostBytes;

    /**
     * @param directory a directory with the names of a partition, or of several
     * @param mostBytes the most bytes of names and rows that are given at once; they go in one message
     */
    public BeginMerge(Handle directory, PartitionLimits limits, long mostBytes) {
        this.directory = directory;
        this.limits = limits;
        this.mostBytes = mostBytes;
    }

    @Override
    public Decision<Boolean> decide(ReadView view, Inputs inputs) {
        Optional<OwnNames> names = OwnNames.find(directory, new Context(BeginGiving.NOBODY, view, inputs))
                .filter(each ->
                        !each.node().row().hasGiving() && DirectoryNode.entries(view, directory) <= limits.few());
        return names.flatMap(BeginMerge::next)
                .filter(each -> new GivenRange(directory, each)
                                .look(mostBytes, limits.mostGiven(), view)
                                .fit()
                        == GivenRange.Fit.FITS)
                .map(each -> new Decision<>(
                        names.get().marked(names.get().giving(What.MERGED, each).build()), true))
                .orElseGet(() -> Decision.of(false));
    }

    /** The partition that ends: if possible, one that is merged within its directory. */
    private static Optional<Partition> next(OwnNames names) {
        return names.partitions().stream()
                .filter(each -> each.isUpperHalf() && (!names.isOwn(each) || names.isOnly(each)))
                .min(Comparator.comparing((Partition each) -> !isBesideLower(each, names))
                        .thenComparing(Comparator.comparingInt(Partition::depth).reversed()));
    }

    private static boolean isBesideLower(Partition upper, OwnNames names) {
        return names.partitions().stream()
                .anyMatch(each -> each.number() == upper.lowerNumber() && each.depth() == upper.depth());
    }
}
