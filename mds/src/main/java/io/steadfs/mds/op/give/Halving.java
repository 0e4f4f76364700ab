package io.steadfs.mds.op.give;

import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.FirstSplit;
import io.steadfs.mds.op.ground.HomeMap;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.GivingGone;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.MapEntrySet;
import io.steadfs.mds.partition.proto.GivingRow.What;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.partition.PartitionMap.Partition;
import java.util.ArrayList;
import java.util.List;

/** Makes two partitions of one. No name moves: one directory has the names of both. */
record Halving(OwnPart part, Context context) {
    List<LogRecord> records() throws Refused {
        HomeMap.requireNew(part.whole(), upper(), context);
        if (part.isAtHome(context)) {
            var unused = HomeMap.requireThere(part.whole(), context);
        } else {
            HandOver.hold(part, upper(), false, context);
        }
        List<LogRecord> records = new ArrayList<>();
        records.add(new MapEntrySet(part.whole(), new MapEntry(part.partition().lowerHalf(), false)));
        records.add(new MapEntrySet(part.whole(), new MapEntry(upper(), false)));
        if (part.names().isUnsplit()) {
            records.addAll(FirstSplit.records(
                    part.handle(),
                    part.row(),
                    DirectoryCounts.find(context.view(), part.handle()).orElseThrow()));
        }
        records.add(GivingGone.given(part.handle(), What.HALVED, 0));
        return records;
    }

    private Partition upper() {
        return part.partition().upperHalf(part.handle());
    }
}
