package io.steadfs.mds.op.ground;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.directory.proto.Giving;
import io.steadfs.mds.dirent.DirentKey;
import io.steadfs.mds.partition.CountsSet;
import io.steadfs.mds.partition.proto.CountsRow;
import io.steadfs.mds.pipeline.DirectoryTimes;
import io.steadfs.partition.PartitionMap.Partition;

/**
 * Makes the record that updates what a directory counts, after an entry of the directory has changed. The record has the
 * new number of entries and, unless times are relaxed, the new modification time.
 */
public final class EntryCount {
    private EntryCount() {}

    /**
     * The record that adds {@code more} to the number of entries where the name is. It sets the modification time as
     * {@link DirectoryTimes} says.
     *
     * @param key the changed name
     * @param row row of the directory that has the name
     * @param more number of added entries; negative for removed entries
     * @throws Refused BUSY if the directory is held for its removal, or if the name is being given to another shard
     */
    public static CountsSet changed(Context context, DirentKey key, DirectoryRow row, int more) throws Refused {
        if (row.hasLock()) {
            throw ParticipantRows.busy("directory " + key.directory(), row.getLock());
        }
        WholeDirectory.requireNotGiven(key, row);
        return counted(context, key.directory(), more);
    }

    static boolean isGiven(Giving giving, DirentKey key) {
        return new Partition(giving.getNumber(), giving.getDepth(), key.directory()).has(key.hash());
    }

    /**
     * Like {@link #changed}, but never refuses. A shard uses this method to remove an entry that it held for a rename.
     */
    public static CountsSet counted(Context context, Handle directory, int more) {
        CountsRow old = DirectoryNode.partition(context.view(), directory);
        return new CountsSet(
                directory,
                old.toBuilder()
                        .setEntries(old.getEntries() + more)
                        .setChanges(old.getChanges() + (context.inputs().times().isExact() ? 1 : 0))
                        .setModificationTime(
                                context.inputs().times().afterChange(old.getModificationTime(), context.now()))
                        .build());
    }
}
