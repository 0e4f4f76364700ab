package io.steadfs.mds.op.give;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.PartitionLimits;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.partition.Givings;
import io.steadfs.mds.partition.KeptNames;
import io.steadfs.mds.partition.proto.GivingRow;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.store.ReadView;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Gives the names that {@link BeginGiving} or {@link BeginMerge} marked to another shard, all in one intent. The other shard
 * prepares a directory with the names. The home shard of the whole directory holds the entries of its map. This shard
 * decides: with the decision it does not have the names any more. Answers why the names were not given; empty = they are
 * given.
 *
 * <p>Each run of the decision reads the names. If they were not those that the other shard prepared, this run would need
 * another prepare. So a decision never loses a change.
 */
public final class GivePartition extends InternalCommand<Optional<KeptNames>> {
    private final Handle directory;
    private final PartitionLimits limits;

    public GivePartition(Handle directory, PartitionLimits limits) {
        this.directory = directory;
        this.limits = limits;
    }

    @Override
    public Decision<Optional<KeptNames>> decide(ReadView view, Inputs inputs) {
        Context context = new Context(BeginGiving.NOBODY, view, inputs);
        Optional<OwnNames> names = OwnNames.find(directory, context);
        Optional<GivingRow> giving = Givings.find(view, directory);
        if (names.isEmpty() || giving.isEmpty() || !names.get().node().row().hasGiving()) {
            return kept("it does not give names any more", true);
        }
        Optional<OwnPart> part = names.get().with(giving.get()).map(found -> new OwnPart(names.get(), found));
        if (part.isEmpty()) {
            return kept("it gave others meanwhile", true);
        }
        try {
            return new Decision<>(records(part.get(), giving.get(), context), Optional.empty());
        } catch (Refused refused) {
            return kept(String.valueOf(refused.getMessage()), refused.error() == FsError.NOT_SUPPORTED);
        }
    }

    private static Decision<Optional<KeptNames>> kept(String why, boolean isForGood) {
        return Decision.of(Optional.of(new KeptNames(why, isForGood)));
    }

    private List<LogRecord> records(OwnPart part, GivingRow giving, Context context) throws Refused {
        return switch (giving.getWhat()) {
            case MERGED -> new Merging(part, limits, context).records();
            case HALVED -> halved(part, context);
            case UPPER_HALF, MOVED, UNRECOGNIZED -> new HandOver(part, giving, context).records();
        };
    }

    private static List<LogRecord> halved(OwnPart part, Context context) throws Refused {
        List<LogRecord> records = new ArrayList<>(new Halving(part, context).records());
        records.add(new DirectorySet(
                part.handle(), part.row().toBuilder().clearGiving().build()));
        return records;
    }
}
