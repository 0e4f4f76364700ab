package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.proto.Attributes;
import io.steadfs.wire.proto.PartitionCount;
import io.steadfs.wire.proto.StatHandlesReply;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What the partitions of a directory count together.
 *
 * @param changes rises with every change of an entry in any partition
 * @param modificationTime when an entry changed last, in milliseconds since 1970
 */
public record PartitionCounts(long entries, long changes, long modificationTime) {
    private static final PartitionCounts NONE = new PartitionCounts(0, 0, 0);

    /** The most partitions in one question. */
    private static final int MOST = Page.MAX_ENTRIES;

    /**
     * The counts of all partitions of directories of this shard. Each other shard is asked for what it has of them, in as
     * few questions as possible.
     *
     * @return empty until all other shards have answered
     */
    public static Optional<Map<Handle, PartitionCounts>> of(
            List<DirectoryNode> directories, Context context, Gathering gathering) throws Refused {
        for (DirectoryNode directory : directories) {
            if (DirectoryPartitions.areHeld(directory, context)) {
                // The names that are given may be counted nowhere until this shard hears of the end.
                throw WholeDirectory.isGiving(directory.handle());
            }
        }
        Optional<Map<Handle, PartitionCount>> counts = each(directories, context, gathering);
        if (counts.isEmpty()) {
            return Optional.empty();
        }
        Map<Handle, PartitionCounts> sums = new HashMap<>();
        for (DirectoryNode directory : directories) {
            PartitionCounts sum = NONE.plus(counts.get().get(directory.handle()));
            for (Map.Entry<Handle, Long> share :
                    DirectoryPartitions.shares(directory, context).entrySet()) {
                sum = sum.plus(asMapped(share, counts.get().get(share.getKey())));
            }
            sums.put(directory.handle(), sum);
        }
        return Optional.of(sums);
    }

    /**
     * Refuses if the partition gave names when it was asked, or has given them since.
     *
     * @param share the part of all hashes that it has in the map
     */
    private static @Nullable PartitionCount asMapped(Map.Entry<Handle, Long> share, @Nullable PartitionCount count)
            throws Refused {
        if (count != null && count.getShare() != share.getValue()) {
            throw WholeDirectory.isGiving(share.getKey());
        }
        return count;
    }

    private PartitionCounts plus(@Nullable PartitionCount count) {
        return count == null
                ? this
                : new PartitionCounts(
                        entries + count.getEntries(),
                        changes + count.getChanges(),
                        Math.max(modificationTime, count.getModificationTime()));
    }

    /** What each partition counts, by the directory that has its names; empty until all other shards have answered. */
    private static Optional<Map<Handle, PartitionCount>> each(
            List<DirectoryNode> directories, Context context, Gathering gathering) throws Refused {
        Map<Handle, PartitionCount> counts = new HashMap<>();
        Map<Integer, List<Handle>> elsewhere = new TreeMap<>();
        for (DirectoryNode directory : directories) {
            counts.put(directory.handle(), here(directory.handle(), context));
            for (Handle each : DirectoryPartitions.of(directory, context)) {
                if (context.owns(each)) {
                    counts.put(each, here(each, context));
                } else {
                    elsewhere
                            .computeIfAbsent(each.shard(), shard -> new ArrayList<>())
                            .add(each);
                }
            }
        }
        boolean isWhole = true;
        for (Map.Entry<Integer, List<Handle>> each : elsewhere.entrySet()) {
            List<Handle> all = each.getValue();
            for (int from = 0; from < all.size(); from += MOST) {
                List<Handle> part = all.subList(from, Math.min(all.size(), from + MOST));
                Optional<Reply> reply = gathering.find(Facts.attributes(each.getKey(), part, false));
                isWhole &= reply.isPresent();
                if (reply.isPresent()) {
                    Refused.unlessOk(reply.get(), StatHandlesReply.class)
                            .getPartitionsList()
                            .forEach(count -> counts.put(new Handle(count.getHandle()), count));
                }
            }
        }
        return isWhole ? Optional.of(counts) : Optional.empty();
    }

    private static PartitionCount here(Handle handle, Context context) {
        return toProto(handle, DirectoryNode.partition(context.view(), handle), context);
    }

    /**
     * The number of names in each partition of a directory of this shard, by the directory that has them. Names that are
     * given just now may be missing.
     */
    public static Map<Handle, Long> names(DirectoryNode directory, Context context) throws Refused {
        Gathering gathering = new Gathering(context);
        Optional<Map<Handle, PartitionCount>> counts = each(List.of(directory), context, gathering);
        gathering.settle();
        Map<Handle, Long> names = new HashMap<>();
        counts.orElseThrow().forEach((handle, count) -> names.put(handle, count.getEntries()));
        return names;
    }

    /** As {@link #of}, for a caller who needs nothing else from other shards. */
    public static PartitionCounts now(DirectoryNode directory, Context context) throws Refused {
        if (DirectoryNode.hasOnePartition(directory.row())) {
            return NONE.plus(here(directory.handle(), context));
        }
        Gathering gathering = new Gathering(context);
        Optional<Map<Handle, PartitionCounts>> counts = of(List.of(directory), context, gathering);
        gathering.settle();
        return Objects.requireNonNull(counts.orElseThrow().get(directory.handle()));
    }

    /** The attributes of a directory of this shard, or of another object of this shard. */
    public static Attributes attributes(Described object, boolean wantLayout, Context context) throws Refused {
        return object instanceof DirectoryNode directory
                ? now(directory, context).attributes(directory)
                : object.attributes(context.view(), wantLayout);
    }

    /** What one partition counts, for the shard that adds it up. */
    public static PartitionCount toProto(Handle partition, CountsRow row, Context context) {
        return PartitionCount.newBuilder()
                .setShare(share(partition, context))
                .setHandle(partition.value())
                .setEntries(row.getEntries())
                .setChanges(row.getChanges())
                .setModificationTime(row.getModificationTime())
                .build();
    }

    private static long share(Handle partition, Context context) {
        return Directories.find(context.view(), partition)
                .filter(DirectoryRow::hasPartOf)
                .map(row -> DirectoryPartitions.share(context.view(), partition, row))
                .orElse(0L);
    }

    /** The attributes of the directory with these counts. */
    public Attributes attributes(DirectoryNode directory) {
        DirectoryRow row = directory.row();
        boolean isTimeSet = row.hasTimeSet() && row.getTimeSet().getChanges() == changes;
        return directory.attributes(entries, isTimeSet ? row.getTimeSet().getTime() : modificationTime);
    }
}
