package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.state.proto.LockRow;
import java.util.function.Predicate;

/**
 * Whether a directory of this shard may be removed as empty. Its count still holds the names that a rename of another
 * shard has perhaps moved away, so it alone says nothing for good while all that is left is held.
 */
public final class Emptiness {
    private Emptiness() {}

    /** @throws Refused NOT_EMPTY with an entry that stays; BUSY where every entry is held by a rename */
    public static void require(DirectoryNode directory, String text, Context context) throws Refused {
        require(directory, text, context, lock -> false);
    }

    /**
     * As above, for an operation that holds entries itself: it would move them out of the directory that it removes, so
     * they count as there. Else a rename of a directory onto its own parent waited for itself.
     */
    public static void require(DirectoryNode directory, String text, Context context, Predicate<LockRow> isOwn)
            throws Refused {
        long entries = DirectoryNode.entries(context.view(), directory.handle(), directory.row());
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
