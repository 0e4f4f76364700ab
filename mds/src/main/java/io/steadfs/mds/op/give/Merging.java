package io.steadfs.mds.op.give;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.DirectoryGone;
import io.steadfs.mds.dirent.DirentGone;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.DirentSet;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.PartitionLimits;
import io.steadfs.mds.op.ground.PartitionMerge;
import io.steadfs.mds.op.ground.Prepared;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.ground.WholeDirectory;
import io.steadfs.mds.partition.CountsGone;
import io.steadfs.mds.partition.DirectoryCounts;
import io.steadfs.mds.partition.GivingGone;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.pipeline.AncestorCopies;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.partition.PartitionMap.Partition;
import io.steadfs.wire.proto.MergeNames;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Ends a partition of this shard. All its names go to the partition from which it was split, which may be on another
 * shard or on this one. The home shard of the directory changes the map.
 */
record Merging(OwnPart part, PartitionLimits limits, Context context) {
    List<LogRecord> records() throws Refused {
        PartitionMerge merge = PartitionMerge.of(part.whole(), part.partition(), stays(), limits);
        boolean isHome = context.owns(part.whole());
        boolean isLocal = context.owns(merge.stays().handle());
        List<LogRecord> records = new ArrayList<>();
        if (isHome) {
            merge.requireMap(context);
        } else if (merge.directory().shard() != merge.stays().handle().shard()) {
            GivePartition.prepared(Prepared.mergedMap(merge.toProto()), context);
        }
        if (isLocal) {
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
        return part.names().handle();
    }

    /** The directory with the names of the partition that stays. */
    private Handle stays() throws Refused {
        int number = part.partition().lowerNumber();
        Optional<Partition> here = Maps.get(context.view(), part.whole(), number)
                .filter(entry -> !entry.isStaged())
                .map(MapEntry::partition);
        Optional<Partition> found = here.isPresent() || context.owns(part.whole()) ? here : hinted(number);
        return found.filter(each -> each.number() == number
                        && each.depth() == part.partition().depth())
                .map(Partition::handle)
                .orElseThrow(() -> new Refused(
                        FsError.STALE_VERSION,
                        "partition " + number + " of directory " + part.whole() + " was split, or its map is old"));
    }

    /** What the copy of the map says. That shard looks whether it is so. */
    private Optional<Partition> hinted(int number) throws Refused {
        // Has the copy asked for, if it is not here.
        var unused = WholeDirectory.permissions(part.whole(), context);
        return context.inputs()
                .copies()
                .directory(part.whole())
                .flatMap(AncestorCopies.Directory::partitions)
                .map(map -> map.of(Long.reverse(number)));
    }

    private void toHere(PartitionMerge merge, List<LogRecord> records) throws Refused {
        CountsRow counts = DirectoryCounts.find(context.view(), names()).orElseThrow();
        merge.requireRoom((int) counts.getEntries(), context);
        try (DirentScan scan = Dirents.scan(context.view(), names())) {
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
        CountsRow counts = DirectoryCounts.find(context.view(), names()).orElseThrow();
        var unused = GivePartition.prepared(
                Prepared.merge(MergeNames.newBuilder()
                        .setMerge(merge.toProto())
                        .addAllNames(new GivenRange(names(), part.partition()).names(context.view()))
                        .setChanges(counts.getChanges())
                        .setModificationTime(counts.getModificationTime())
                        .build()),
                context);
    }

    private void gone(PartitionMerge merge, List<LogRecord> records) {
        try (DirentScan scan = Dirents.scan(context.view(), names())) {
            while (scan.next()) {
                records.add(new DirentGone(DirentKey.of(names(), scan.name())));
            }
        }
        records.add(new GivingGone(names()));
        records.add(merge.ended());
        records.add(new CountsGone(names()));
        records.add(new DirectoryGone(names()));
    }
}
