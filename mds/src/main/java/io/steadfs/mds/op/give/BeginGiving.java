package io.steadfs.mds.op.give;

import io.steadfs.handle.Handle;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.PartitionLimits;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.partition.Begun;
import io.steadfs.mds.partition.Occasion;
import io.steadfs.mds.partition.proto.GivingRow;
import io.steadfs.mds.partition.proto.GivingRow.What;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Principal;
import io.steadfs.store.ReadView;
import java.util.Optional;
import java.util.Set;

/**
 * Begins to give names of a directory to another shard, if the directory has too many or its shard has more than others.
 * From now on none of these names changes, until they are given or {@link EndGiving} says that they stay.
 */
public final class BeginGiving extends InternalCommand<Begun> {
    static final Principal NOBODY = new Principal("", Set.of(), true, 0);

    private final Handle directory;
    private final PartitionLimits limits;
    private final long mostBytes;
    private final Occasion occasion;

    /**
     * @param directory a directory, or a partition of one
     * @param mostBytes the most bytes of names and rows that are given at once; they go in one message
     */
    public BeginGiving(Handle directory, PartitionLimits limits, long mostBytes, Occasion occasion) {
        this.directory = directory;
        this.limits = limits;
        this.mostBytes = mostBytes;
        this.occasion = occasion;
    }

    @Override
    public Decision<Begun> decide(ReadView view, Inputs inputs) {
        Context context = new Context(NOBODY, view, inputs);
        Optional<OwnNames> names = OwnNames.find(directory, context)
                .filter(each -> !each.node().row().hasGiving());
        if (names.isEmpty()) {
            return Decision.of(Begun.NO);
        }
        try {
            Optional<GivingRow> row = new NextGiving(names.get(), limits, mostBytes, occasion, context).row();
            return row.isPresent() ? begun(names.get(), row.get(), context) : Decision.of(Begun.NO);
        } catch (Refused refused) {
            return Decision.of(Begun.LATER);
        }
    }

    private static Decision<Begun> begun(OwnNames names, GivingRow row, Context context) throws Refused {
        if (row.getWhat() == What.HALVED && context.owns(names.whole())) {
            OwnPart part = new OwnPart(names, names.with(row).orElseThrow());
            return new Decision<>(new Halving(part, context).records(), Begun.CHANGED);
        }
        return new Decision<>(names.marked(row), Begun.GIVES);
    }
}
