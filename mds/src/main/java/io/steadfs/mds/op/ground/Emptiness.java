package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.Dirents;
import io.steadfs.mds.state.proto.LockRow;
import java.util.function.Predicate;

/**
 * Whether a directory of this shard may be removed as empty. Its count still includes names that a rename of another shard
 * may have moved away. So while all remaining entries are held by renames, the count alone decides nothing.
 */
public final class Emptiness {
    private Emptiness() {}

    /** @throws Refused NOT_EMPTY if the directory has an entry that stays; BUSY if every entry is held by a rename */
    public static void require(DirectoryNode directory, String text, Context context) throws Refused {
        require(directory, text, context, lock -> false);
    }

    /**
     * The same for an operation that holds entries itself. It would move them out of the directory that it removes, so they
     * count as entries that stay. Otherwise a rename of a directory onto its own parent would wait for itself.
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
