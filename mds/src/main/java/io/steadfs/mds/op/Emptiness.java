package io.steadfs.mds.op;

import io.steadfs.error.FsError;
import io.steadfs.mds.dirent.DirentScan;
import io.steadfs.mds.dirent.Dirents;

/**
 * Whether a directory of this shard may be removed as empty. Its count still holds the names that a rename of another
 * shard has perhaps moved away, so it alone says nothing for good while all that is left is held.
 */
final class Emptiness {
    private Emptiness() {}

    /** @throws Refused NOT_EMPTY with an entry that stays; BUSY where every entry is held by a rename */
    static void require(DirectoryNode directory, String text, Context context) throws Refused {
        long entries = DirectoryNode.entries(context.view(), directory.handle(), directory.row());
        if (entries == 0) {
            return;
        }
        try (DirentScan scan = Dirents.scan(context.view(), directory.handle())) {
            while (scan.next()) {
                if (!scan.row().hasLock()) {
                    throw new Refused(FsError.NOT_EMPTY, text + " has " + entries + " entries");
                }
            }
        }
        throw new Refused(FsError.BUSY, "all that " + text + " has is being moved away; try again");
    }
}
