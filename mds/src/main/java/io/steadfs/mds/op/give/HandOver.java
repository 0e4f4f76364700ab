package io.steadfs.mds.op.give;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.DirectoryGone;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.FirstSplit;
import io.steadfs.mds.op.ground.HomeMap;
import io.steadfs.mds.op.ground.Prepared;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.partition.CountsGone;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.GivingGone;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntryGone;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.partition.proto.GivingRow;
import io.steadfs.mds.partition.proto.GivingRow.What;
import io.steadfs.mds.pipeline.Need;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.wire.proto.HoldMap;
import io.steadfs.wire.proto.PrepareReply;
import io.steadfs.wire.proto.TakePartition;
import java.util.ArrayList;
import java.util.List;

/**
 * Gives a partition, or the upper half of one, to another shard. The other shard makes a directory with the names. The home
 * shard of the whole directory changes the map.
 *
 * @param giving what goes where
 */
record HandOver(OwnPart part, GivingRow giving, Context context) {
    List<LogRecord> records() throws Refused {
        if (part.isAtHome(context)) {
            var unused = HomeMap.requireThere(part.whole(), context);
            if (!moves()) {
                HomeMap.requireNew(part.whole(), range(), context);
            }
        }
        List<TakePartition.Name> names = new GivenRange(part.handle(), range()).names(context.view());
        Handle taker = taker(names);
        Partition given = new Partition(range().number(), range().depth(), taker);
        // A home shard that takes the partition itself holds the entry with that.
        if (!part.isAtHome(context) && !(moves() && giving.getTarget() == part.home())) {
            hold(part, given, moves(), context);
        }
        List<LogRecord> records = new ArrayList<>();
        for (TakePartition.Name each : names) {
            records.add(new DirentGone(DirentKey.of(part.handle(), each.getName())));
        }
        records.add(GivingGone.given(part.handle(), giving.getWhat(), names.size()));
        map(given, records);
        rows(names.size(), records);
        return records;
    }

    private boolean moves() {
        return giving.getWhat() == What.MOVED;
    }

    /** Whether the directory that had the names ends. */
    private boolean ends() {
        return moves() && part.isOnly();
    }

    private Partition range() {
        return moves() ? part.partition() : part.partition().upperHalf(part.handle());
    }

    /** The directory that the other shard prepared for the names. */
    private Handle taker(List<TakePartition.Name> names) throws Refused {
        TakePartition.Builder action = TakePartition.newBuilder()
                .setDirectory(part.whole().value())
                .setNumber(range().number())
                .setDepth(range().depth())
                .setPathDepth(part.row().getDepth())
                .setFrom(moves() ? part.handle().value() : 0)
                .setRate(giving.getRate())
                .setKept(giving.getKept())
                .addAllNames(names);
        if (ends()) {
            action.setChanges(counts().getChanges()).setModificationTime(counts().getModificationTime());
        }
        return new Handle(prepared(Prepared.take(giving.getTarget(), action.build()), context)
                .getPartitions(0));
    }

    private CountsRow counts() {
        return DirectoryCounts.find(context.view(), part.handle()).orElseThrow();
    }

    private void map(Partition given, List<LogRecord> records) {
        if (!moves()) {
            records.add(
                    new MapEntrySet(part.whole(), new MapEntry(part.partition().lowerHalf(), false)));
        }
        if (part.isAtHome(context)) {
            records.add(new MapEntrySet(part.whole(), new MapEntry(given, false)));
        } else if (moves()) {
            records.add(new MapEntryGone(part.whole(), given.number()));
        }
    }

    private void rows(int given, List<LogRecord> records) {
        if (ends()) {
            records.add(new CountsGone(part.handle()));
            records.add(new DirectoryGone(part.handle()));
            return;
        }
        CountsRow left =
                counts().toBuilder().setEntries(counts().getEntries() - given).build();
        DirectoryRow row = part.row().toBuilder().clearGiving().build();
        if (part.names().isUnsplit()) {
            records.addAll(FirstSplit.records(part.handle(), row, left));
        } else {
            records.add(new CountsSet(part.handle(), left));
            records.add(new DirectorySet(part.handle(), row));
        }
    }

    /**
     * Has the home shard hold the entry of a partition, which the commit changes.
     *
     * @param given the partition, or its upper half, as it is then
     * @param moves whether the partition goes as it is
     */
    static void hold(OwnPart part, Partition given, boolean moves, Context context) throws Refused {
        var unused = prepared(
                Prepared.map(HoldMap.newBuilder()
                        .setDirectory(part.whole().value())
                        .setNumber(part.partition().number())
                        .setDepth(part.partition().depth())
                        .setHandle(part.handle().value())
                        .setGivenHandle(given.handle().value())
                        .setMoves(moves)
                        .build()),
                context);
    }

    static PrepareReply prepared(Need.Prepare need, Context context) throws Refused {
        return Refused.unlessOk(context.inputs().peerAnswers().get(need), PrepareReply.class);
    }
}
