package io.steadfs.mds.op.give;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.DirectoryGone;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.PartitionLimits;
import io.steadfs.mds.op.ground.PartitionMerge;
import io.steadfs.mds.op.ground.Prepared;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.partition.CountsGone;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.GivingGone;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.partition.proto.GivingRow.What;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.wire.proto.MergeNames;
import io.steadfs.wire.proto.TakePartition;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Ends a partition of this shard. All its names go to the partition from which it was split. That may be on another shard or
 * on this one, or its names may be in the same directory. The home shard of the whole directory changes the map.
 */
record Merging(OwnPart part, PartitionLimits limits, Context context) {
    List<LogRecord> records() throws Refused {
        PartitionMerge merge = PartitionMerge.of(part.whole(), part.partition(), stays(), limits);
        boolean isHome = part.isAtHome(context);
        boolean isLocal = context.owns(merge.stays().handle());
        List<LogRecord> records = new ArrayList<>();
        if (isHome) {
            merge.requireMap(context);
        } else if (merge.directory().shard() != merge.stays().handle().shard()) {
            var unused = HandOver.prepared(Prepared.mergedMap(merge.toProto()), context);
        }
        if (isWithin(merge)) {
            within(merge, records);
        } else if (isLocal) {
            toHere(merge, records);
        } else {
            toOtherShard(merge);
        }
        if (isHome || isLocal) {
            records.add(merge.stayed());
        }
        gone(merge, records);
        return records;
    }

    private Handle names() {
        return part.handle();
    }

    /** Whether one directory has the names of both partitions. */
    private boolean isWithin(PartitionMerge merge) {
        return merge.stays().handle().equals(names());
    }

    private GivenRange range() {
        return new GivenRange(names(), part.partition());
    }

    /** The directory with the names of the partition that stays. */
    private Handle stays() throws Refused {
        int number = part.partition().lowerNumber();
        Optional<Partition> here = Maps.get(context.view(), part.whole(), number)
                .filter(entry -> !entry.isStaged())
                .map(MapEntry::partition);
        Optional<Partition> found = here.isPresent() || part.isAtHome(context) ? here : Optional.of(hinted(number));
        return found.filter(each -> each.number() == number
                        && each.depth() == part.partition().depth())
                .map(Partition::handle)
                .orElseThrow(() -> new Refused(
                        FsError.STALE_VERSION,
                        "partition " + number + " of directory " + part.whole() + " was split, or its map is old"));
    }

    /** What the copy of the map says. That shard looks whether it is so. */
    private Partition hinted(int number) throws Refused {
        return part.names().map(context).of(Long.reverse(number));
    }

    /** What goes with the names. A directory that goes on keeps the number of its changes. */
    private CountsRow given(int names) {
        return part.isOnly()
                ? counts()
                : DirectoryCounts.first(0).toBuilder().setEntries(names).build();
    }

    private CountsRow counts() {
        return DirectoryCounts.find(context.view(), names()).orElseThrow();
    }

    private void within(PartitionMerge merge, List<LogRecord> records) {
        if (merge.isOneThen()) {
            records.addAll(merge.counted(CountsRow.getDefaultInstance(), context));
        } else {
            records.add(withoutMark());
        }
    }

    private LogRecord withoutMark() {
        return new DirectorySet(names(), part.row().toBuilder().clearGiving().build());
    }

    private void toHere(PartitionMerge merge, List<LogRecord> records) throws Refused {
        CountsRow counts = given(range().count(Integer.MAX_VALUE, context.view()));
        merge.requireRoom((int) counts.getEntries(), context);
        try (DirentScan scan = range().scan(context.view())) {
            while (scan.next()) {
                if (scan.row().hasLock()) {
                    throw new Refused(FsError.BUSY, scan.dirent() + " is held");
                }
                records.add(new DirentSet(scan.dirent().in(merge.stays().handle()), scan.row()));
            }
        }
        records.addAll(merge.counted(counts, context));
    }

    private void toOtherShard(PartitionMerge merge) throws Refused {
        List<TakePartition.Name> names = range().names(context.view());
        CountsRow counts = given(names.size());
        var unused = HandOver.prepared(
                Prepared.merge(MergeNames.newBuilder()
                        .setMerge(merge.toProto())
                        .addAllNames(names)
                        .setChanges(counts.getChanges())
                        .setModificationTime(counts.getModificationTime())
                        .build()),
                context);
    }

    private void gone(PartitionMerge merge, List<LogRecord> records) {
        records.add(merge.ended());
        if (isWithin(merge)) {
            records.add(GivingGone.given(names(), What.MERGED, 0));
            return;
        }
        int given = 0;
        try (DirentScan scan = range().scan(context.view())) {
            while (scan.next()) {
                records.add(new DirentGone(scan.dirent()));
                given++;
            }
        }
        records.add(GivingGone.given(names(), What.MERGED, given));
        if (part.isOnly()) {
            records.add(new CountsGone(names()));
            records.add(new DirectoryGone(names()));
        } else {
            records.add(new CountsSet(
                    names(),
                    counts().toBuilder()
                            .setEntries(counts().getEntries() - given)
                            .build()));
            records.add(withoutMark());
        }
    }
}
