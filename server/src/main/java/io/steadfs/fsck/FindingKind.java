package io.steadfs.fsck;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What a check may find. Names, not numbers, are kept on disk. */
public enum FindingKind {
    /** A datafile that no metafile lists, nor will, and that nobody is about to remove: its space is lost. */
    LEAKED_DATAFILE("no metafile lists it, nor will, and nobody is about to remove it: its space is lost"),
    /** A metafile lists a datafile that its IO server does not have: what was in the column is lost. */
    MISSING_DATAFILE("a metafile lists it, its IO server does not have it: what was in the column is lost"),
    /** A metafile lists a datafile that its IO server knows as another column's: one of them reads the other's bytes, or none. */
    FOREIGN_DATAFILE("a metafile lists it, its IO server knows it as another column's"),
    /** Several metafiles list one datafile. */
    CLAIMED_TWICE("several metafiles list it"),
    /** A shard's index of listed datafiles names a metafile that is not there, or does not list it. */
    STRAY_INDEX("a shard's index names a metafile for it that is not there or does not list it"),
    /** A metafile lists a datafile, and its shard's index does not lead to it: a reclaim of its handle would not see that it is used. */
    MISSING_INDEX("a metafile lists it, its shard's index does not lead there"),
    /** A datafile has fewer bytes than the recorded length of its closed file needs. */
    SHORT_DATAFILE("it has fewer bytes than the recorded length of its closed file needs"),
    /** Rows that a server's store cannot read, since a file of its own is not what was written: what is in them nobody knows. */
    UNREADABLE_ROWS(
            "rows that a server's store cannot read, since a file of its own is damaged; what is in them is unknown"),
    /** A file of a server's store is not what was written. */
    DAMAGED_FILE("a file of a server's store is not what was written"),
    /** Bytes of a file are not what they were when they were written. Whoever reads them is told so. */
    CHECKSUM_FAILURE("bytes of it are not what was written; whoever reads them is told so"),
    /** What the IO server has on record of a datafile cannot be read. */
    UNREADABLE_DATAFILE("what its IO server has on record of it cannot be read"),
    /** A row of a shard that is none: a name, a partition, an entry of the index. */
    UNREADABLE_RECORD("a name, partition or index entry of a shard cannot be read"),
    /** A metafile's or directory's row that is none. To take it away gives up what it led to. */
    UNREADABLE_OBJECT("the row of a metafile or directory cannot be read"),
    /** A metafile that no name leads to, nor will. */
    ORPHAN_METAFILE("no name leads to the metafile, nor will"),
    /** A name leads to an object that is not there. */
    DANGLING_DIRENT("a name leads to an object that is not there"),
    /** Several names lead to one object. */
    LINKED_TWICE("several names lead to one object"),
    /** A name says that a file is a directory, or the reverse. */
    WRONG_TYPE("a name says that a file is a directory, or the reverse"),
    /** A directory's row says that its name is in another directory than it is. */
    WRONG_PARENT("a directory's row names another parent than the directory with its name"),
    /** No name leads to a directory that nobody is about to clear, or only names below itself. */
    UNREACHABLE_DIRECTORY("no way leads from the root to the directory"),
    /** A directory has no partition for its names. */
    UNPARTITIONED_DIRECTORY("a directory has no partition 0"),
    /** A partition, or names, of a directory that is not there. */
    UNREACHABLE_PARTITION("a partition or names of a directory that is not there"),
    /** A name is where nobody looks for it. */
    MISPLACED_DIRENT("a name is in a partition where nobody looks for it"),
    /** A row that counts others is wrong. */
    WRONG_COUNTER("a row that counts others is wrong"),
    /**
     * A shard's part of an operation over several shards that can never end: its coordinator does not know the operation, or it waits for a
     * shard that there is not.
     */
    STALE_INTENT(
            "an operation over several shards never ends: the shard that it waits for is not there or does not know it"),
    /** A datafile to be removed at an IO server that the cluster does not have. */
    STUCK_DELETION("a datafile is to be removed at an IO server that the cluster does not have"),
    /** A lease that is over for longer than anybody would wait, and whose handles are not taken back. */
    EXPIRED_LEASE("a lease is over for long, and handles that no file has are not taken back"),
    /** Two leases of an IO server with handles in common: two holders may put one datafile into two files. */
    OVERLAPPING_LEASES("two leases have handles in common");

    private final String meaning;

    FindingKind(String meaning) {
        this.meaning = meaning;
    }

    /** Those whose repair gives up what could still be read, or be brought back by an operator: made only when asked for by name. */
    public static Set<FindingKind> givingUp() {
        return EnumSet.of(
                MISSING_DATAFILE,
                FOREIGN_DATAFILE,
                CLAIMED_TWICE,
                SHORT_DATAFILE,
                CHECKSUM_FAILURE,
                UNREADABLE_DATAFILE,
                UNREADABLE_OBJECT);
    }

    /** Those that no check can repair: what the store of a server cannot read is for {@code bin/stead salvage}. */
    public static Set<FindingKind> ofStores() {
        return EnumSet.of(UNREADABLE_ROWS, DAMAGED_FILE);
    }

    /** In words. */
    public String meaning() {
        return meaning;
    }

    /** As it is printed: {@code leaked-datafile}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** Empty where there is none of that label. */
    public static Optional<FindingKind> of(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findAny();
    }
}
