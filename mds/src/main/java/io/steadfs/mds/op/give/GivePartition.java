package io.steadfs.mds.op.give;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.FirstSplit;
import io.steadfs.mds.op.ground.HomeMap;
import io.steadfs.mds.op.ground.PartitionLimits;
import io.steadfs.mds.op.ground.Prepared;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.SpreadShards;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.GivingGone;
import io.steadfs.mds.partition.Givings;
import io.steadfs.mds.partition.KeptNames;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.partition.proto.GivingRow;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.pipeline.Inputs;
import io.steadfs.mds.pipeline.InternalCommand;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.store.ReadView;
import io.steadfs.wire.proto.HoldMap;
import io.steadfs.wire.proto.PrepareReply;
import io.steadfs.wire.proto.TakePartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Gives the names that {@link BeginGiving} marked to another shard, all in one intent. The other shard prepares a
 * partition with the names. The home shard of the directory holds the entry of its map. This shard decides: with the
 * decision it does not have the names any more. Answers why the names were not given; empty = they are given.
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
        Optional<OwnPart> part = OwnPart.find(directory, context);
        Optional<GivingRow> giving = Givings.find(view, directory);
        if (part.isEmpty() || giving.isEmpty() || !part.get().names().row().hasGiving()) {
            return kept("it does not give names any more", true);
        }
        Partition range = giving.get().getAll()
                ? part.get().partition()
                : part.get().partition().upperHalf(directory);
        if (giving.get().getNumber() != range.number() || giving.get().getDepth() != range.depth()) {
            return kept("it gave others meanwhile", true);
        }
        try {
            return new Decision<>(
                    giving.get().getAll()
                            ? new Merging(part.get(), limits, context).records()
                            : given(part.get(), giving.get().getTarget(), context),
                    Optional.empty());
        } catch (Refused refused) {
            return kept(String.valueOf(refused.getMessage()), refused.error() == FsError.NOT_SUPPORTED);
        }
    }

    private static Decision<Optional<KeptNames>> kept(String why, boolean isForGood) {
        return Decision.of(Optional.of(new KeptNames(why, isForGood)));
    }

    private List<LogRecord> given(OwnPart part, int target, Context context) throws Refused {
        if (part.home() == context.inputs().shard()) {
            var unused = HomeMap.requireThere(part.whole(), context);
        }
        Partition range = part.partition().upperHalf(directory);
        List<TakePartition.Name> names = new GivenRange(directory, range).names(context.view());
        Partition upper = part.partition().upperHalf(taken(part, range, target, names, context));
        if (part.home() != context.inputs().shard()) {
            hold(part, upper, context);
        }
        List<LogRecord> records = new ArrayList<>();
        for (TakePartition.Name each : names) {
            records.add(new DirentGone(DirentKey.of(directory, each.getName())));
        }
        records.add(new GivingGone(directory));
        records.add(new MapEntrySet(part.whole(), new MapEntry(part.partition().lowerHalf(), false)));
        if (part.home() == context.inputs().shard()) {
            records.add(new MapEntrySet(part.whole(), new MapEntry(upper, false)));
        }
        counts(part, names.size(), context, records);
        return records;
    }

    /** The directory that the other shard prepared for the names. */
    private static Handle taken(
            OwnPart part, Partition range, int target, List<TakePartition.Name> names, Context context) throws Refused {
        TakePartition action = TakePartition.newBuilder()
                .setDirectory(part.whole().value())
                .setNumber(range.number())
                .setDepth(range.depth())
                .setPathDepth(part.names().row().getDepth())
                .setShards(SpreadShards.of(part.names(), context))
                .addAllNames(names)
                .build();
        return new Handle(prepared(Prepared.take(target, action), context).getPartitions(0));
    }

    /** Has the home shard hold its entry, which the commit changes. */
    private static void hold(OwnPart part, Partition upper, Context context) throws Refused {
        prepared(
                Prepared.map(HoldMap.newBuilder()
                        .setDirectory(part.whole().value())
                        .setNumber(part.partition().number())
                        .setDepth(part.partition().depth())
                        .setHandle(part.partition().handle().value())
                        .setGivenHandle(upper.handle().value())
                        .build()),
                context);
    }

    static PrepareReply prepared(Need.Prepare need, Context context) throws Refused {
        return Refused.unlessOk(context.inputs().peerAnswers().get(need), PrepareReply.class);
    }

    private void counts(OwnPart part, int given, Context context, List<LogRecord> records) {
        CountsRow counts = DirectoryCounts.find(context.view(), directory).orElseThrow();
        CountsRow left =
                counts.toBuilder().setEntries(counts.getEntries() - given).build();
        DirectoryRow row = part.names().row().toBuilder().clearGiving().build();
        if (part.partition().depth() == 0) {
            records.addAll(FirstSplit.records(directory, row, left));
        } else {
            records.add(new CountsSet(directory, left));
            records.add(new DirectorySet(directory, row));
        }
    }
}
