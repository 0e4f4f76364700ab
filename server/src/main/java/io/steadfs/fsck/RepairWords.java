package io.steadfs.fsck;

import io.steadfs.store.Damage;

/** Describes the repair of a finding to people who decide whether it is to be made. */
public final class RepairWords {
    private RepairWords() {}

    public static String of(FindingKind kind) {
        return switch (kind) {
            case UNREADABLE_ROWS, DAMAGED_FILE -> "none: " + Damage.HELP;
            case LEAKED_DATAFILE -> "removed, by the queue of deletions";
            case MISSING_DATAFILE ->
                "the file ends where the column began; what other columns have behind that is given up";
            case FOREIGN_DATAFILE -> "the file ends where the column began; the datafile stays the other's";
            case CLAIMED_TWICE -> "all but the file that its IO server knows end where the column began";
            case STRAY_INDEX -> "taken away";
            case MISSING_INDEX -> "set";
            case SHORT_DATAFILE -> "the file ends where the column does";
            case CHECKSUM_FAILURE ->
                "the file ends before the first bad 64 KiB, though what is behind them could be read";
            case UNREADABLE_DATAFILE -> "removed; a file that lists it ends where the column began";
            case UNREADABLE_RECORD -> "taken away, told byte for byte";
            case UNREADABLE_OBJECT -> "taken away, told byte for byte; its datafiles are leaked then";
            case ORPHAN_METAFILE -> "gets a name in /lost+found";
            case DANGLING_DIRENT -> "taken away";
            case LINKED_TWICE -> "of a directory the name stays that its row says, else the first";
            case WRONG_TYPE -> "the name says what the object is";
            case WRONG_PARENT -> "the row says where the name is";
            case UNREACHABLE_DIRECTORY -> "gets a name in /lost+found, with all that is below it";
            case UNPARTITIONED_DIRECTORY -> "made, its names counted";
            case UNREACHABLE_PARTITION ->
                "a directory is made for the names, the superuser's; without names it is taken away";
            case MISPLACED_DIRENT ->
                "moved; where another has its place it is taken away, and its object comes to /lost+found";
            case WRONG_COUNTER -> "counted anew";
            case STALE_INTENT ->
                "undone once the coordinator can never do it; what waits for a shard that is not there waits no more";
            case EXPIRED_LEASE ->
                "its IO server is told to sort out its handles now, and to take back those that no file has";
            case OVERLAPPING_LEASES -> "both end; files keep their datafiles, holders lease others";
            case STUCK_DELETION -> "taken off the queue; if that server comes back, its datafile is found as leaked";
        };
    }
}
