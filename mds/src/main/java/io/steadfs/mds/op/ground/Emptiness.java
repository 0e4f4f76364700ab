package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.state.proto.LockRow;
import java.util.function.Predicate;

/**
 * Decides whether a directory of this shard is empty and may be removed. The directory's count still includes names
 * that a rename of another shard may have moved away. So if renames hold all entries of the directory, the count cannot
 * tell whether the directory is empty.
 */
public final class Emptiness {
    private Emptiness() {}

    /**
     * @throws Refused NOT_EMPTY if the directory has an entry that no rename holds; BUSY if renames hold all entries of
     *     the directory
     */
    public static void require(DirectoryNode directory, String text, Context context) throws Refused {
        require(directory, text, context, lock -> false);
    }

    /**
     * Requires the same for an operation that itself holds entries of the directory. An entry that the operation holds
     * counts as an entry that stays. An operation may move an entry out of a directory and remove the same directory.
     * If the operation's own holds led to BUSY, a rename of a directory onto its own parent would wait for itself.
     *
     * @param isOwn tells whether a lock belongs to the operation itself
     */
    public static void require(DirectoryNode directory, String text, Context context, Predicate<LockRow> isOwn)
            throws Refused {
        if (directory.row().hasLock()) {
            throw ParticipantRows.busy(text, directory.row().getLock());
        }
        if (directory.row().hasGiving()
                || DirectoryPartitions.areHeld(directory, context)
                || DirectoryPartitions.isHeld(directory, context)) {
            throw WholeDirectory.isGiving(directory.handle());
        }
        for (DirectoryNode partition : DirectoryPartitions.here(directory, context)) {
            require(partition, text, context, isOwn);
        }
        long entries = DirectoryNode.entries(context.view(), directory.handle());
        if (entries == 0) {
            return;
        }
        try (DirentScan scan = Dirents.scan(context.view(), directory.handle())) {
            while (scan.next()) {
                if (!scan.row().hasLock() || isOwn.test(scan.row().getLock())) {
                    throw new Refused(FsError.NOT_EMPTY, text + " has " + entries + " entries");
                }
            }
        }
        throw new Refused(FsError.BUSY, "all that " + text + " has is being moved away; try again");
    }
}
