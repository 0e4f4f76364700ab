package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.deletion.DeletionQueue;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.partition.MapEntry;
import io.steadfs.mds.partition.Maps;
import io.steadfs.mds.state.proto.LockRow;
import io.steadfs.partition.PartitionMap.Partition;
import java.util.Optional;

/** Whether a hand over may hold and change entries of a map. */
public final class HomeMap {
    private HomeMap() {}

    /**
     * The row of a directory of this shard.
     *
     * @throws Refused if the directory is being removed
     */
    public static DirectoryRow requireThere(Handle directory, Context context) throws Refused {
        DirectoryRow row = ParticipantRows.directory(directory, context);
        if (row.hasLock()) {
            throw ParticipantRows.busy("directory " + directory, row.getLock());
        }
        if (DeletionQueue.hasTree(context.view(), directory)) {
            throw new Refused(FsError.STALE_START, "directory " + directory + " was deleted");
        }
        return row;
    }

    /**
     * This shard's entry of a partition.
     *
     * @throws Refused if the map does not have just this partition, or if a hand over holds the entry
     */
    public static MapEntry requireEntry(Handle directory, Partition partition, Context context) throws Refused {
        MapEntry entry = Maps.get(context.view(), directory, partition.number())
                .filter(each -> each.partition().equals(partition) && !each.isStaged())
                .orElseThrow(() -> new Refused(
                        FsError.STALE_VERSION, "the map of directory " + directory + " does not have " + partition));
        requireFree(entry);
        return entry;
    }

    /**
     * Refuses with BUSY if this shard has an entry of the partition's number that leads to another directory. An earlier
     * attempt, which is not undone yet, has prepared it. Until then a check must see that it counts for nothing.
     *
     * @param made the partition that a hand over makes
     */
    public static void requireNew(Handle directory, Partition made, Context context) throws Refused {
        if (Maps.get(context.view(), directory, made.number())
                .filter(each -> !each.handle().equals(made.handle()))
                .isPresent()) {
            throw new Refused(
                    FsError.BUSY,
                    "partition " + made.number() + " of directory " + directory + " is on record already");
        }
    }

    /** Refuses with BUSY if a hand over holds the entry. */
    public static void requireFree(MapEntry entry) throws Refused {
        if (entry.lock().isPresent()) {
            throw ParticipantRows.busy(
                    entry.partition().toString(), entry.lock().get());
        }
    }

    /** The entry of a partition, if the slot holds it. */
    public static Optional<MapEntry> held(Handle directory, Partition partition, LockRow slot, Context context) {
        return Maps.get(context.view(), directory, partition.number())
                .filter(entry -> entry.lock().equals(Optional.of(slot)));
    }
}
