package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.rpc.Reply;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/** Holds the partitions of a directory that is removed, and removes them with it. */
public final class PartitionHolds {
    private PartitionHolds() {}

    /**
     * Requires that the partitions are empty. Other shards hold theirs empty.
     *
     * @throws Refused with the error of another shard, such as NOT_EMPTY
     */
    public static void require(List<Handle> partitions, String text, Context context) throws Refused {
        for (DirectoryNode each : DirectoryPartitions.here(partitions, context)) {
            Emptiness.require(each, text, context);
        }
        hold(partitions, text, context);
    }

    /**
     * Requires that a directory of this shard is empty, and so are its partitions. Other shards hold theirs empty.
     *
     * @throws Refused with the error of another shard, such as NOT_EMPTY
     */
    public static void require(DirectoryNode directory, String text, Context context) throws Refused {
        Emptiness.require(directory, text, context);
        hold(DirectoryPartitions.of(directory, context), text, context);
    }

    /** Has other shards hold their partitions empty. */
    private static void hold(List<Handle> partitions, String text, Context context) throws Refused {
        SortedMap<Integer, List<Handle>> elsewhere = new TreeMap<>();
        partitions.stream()
                .filter(each -> !context.owns(each))
                .forEach(each -> elsewhere
                        .computeIfAbsent(each.shard(), shard -> new ArrayList<>())
                        .add(each));
        Gathering gathering = new Gathering(context);
        for (List<Handle> ofShard : elsewhere.values()) {
            Optional<Reply> held = gathering.find(Prepared.removal(ofShard));
            if (held.isPresent() && !held.get().isOk()) {
                throw new Refused(
                        held.get().error(), text + ": " + held.get().header().getMessage());
            }
        }
        gathering.settle();
    }

    /** Removes the partitions of this shard. The caller has required that they are empty. */
    public static void remove(List<Handle> partitions, Context context, List<LogRecord> records) {
        DirectoryPartitions.here(partitions, context).forEach(each -> Removal.emptyDirectory(each, context, records));
    }
}
