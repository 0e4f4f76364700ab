package io.steadfs.fsck;

import io.steadfs.store.Damage;

/**
 * Describes the repair of each kind of finding to people who decide about the repair. The page docs/command-line.md has
 * the same words.
 */
public final class RepairWords {
    private RepairWords() {}

    public static String of(FindingKind kind) {
        return switch (kind) {
            case UNREADABLE_ROWS, DAMAGED_FILE -> "none: " + Damage.HELP;
            case LEAKED_DATAFILE -> "removed, by the queue of deletions";
            case MISSING_DATAFILE ->
                "the file ends where the column began; bytes of other columns behind that are given up";
            case FOREIGN_DATAFILE -> "the file ends where the column began; the datafile stays the other's";
            case CLAIMED_TWICE -> "all but the file that its IO server knows end where the column began";
            case STRAY_INDEX -> "removed";
            case MISSING_INDEX -> "the index entry is set";
            case SHORT_DATAFILE -> "the file ends where the column does";
            case CHECKSUM_FAILURE ->
                "the file ends before the first bad 64 KiB, though the bytes behind them could be read";
            case UNREADABLE_DATAFILE -> "removed; a file that lists it ends where the column began";
            case UNREADABLE_RECORD -> "removed, and printed byte for byte";
            case UNREADABLE_OBJECT -> "removed, and printed byte for byte; its datafiles are leaked then";
            case ORPHAN_METAFILE -> "gets a name in /lost+found";
            case DANGLING_DIRENT -> "removed";
            case LINKED_TWICE -> "of a directory that name stays which its row says, else the first name";
            case WRONG_TYPE -> "the name says what the object is";
            case WRONG_PARENT -> "the row says where the name is";
            case UNREACHABLE_DIRECTORY -> "gets a name in /lost+found, with all that is below it";
            case LOST_PARTITION ->
                "goes back into the map, also in place of a wrong entry; where another partition has its place, it becomes a directory in"
                        + " /lost+found";
            case UNPARTITIONED_DIRECTORY -> "made, its names counted";
            case UNREACHABLE_PARTITION ->
                "a directory of the superuser's is made for the names; the check then finds that it has no name. Without names:"
                        + " removed";
            case MISPLACED_DIRENT ->
                "moved; where another name has its place, removed, and its object comes to /lost+found";
            case DAMAGED_MAP -> "the map is made whole; where a partition is lost, an empty one takes its place";
            case UNMAPPED_PARTITION -> "set as the map of its directory says";
            case WRONG_COUNTER -> "counted anew";
            case STALE_INTENT ->
                "the coordinator skips that operation for ever, and everything held for it is undone; nothing waits any more for"
                        + " a shard that is not there";
            case EXPIRED_LEASE ->
                "its IO server sorts out its handles now, fenced on every shard as ever, and the repair waits for that";
            case OVERLAPPING_LEASES -> "both end; files keep their datafiles, holders lease others";
            case STUCK_DELETION -> "taken off the queue; if that server comes back, its datafile is leaked";
        };
    }
}
