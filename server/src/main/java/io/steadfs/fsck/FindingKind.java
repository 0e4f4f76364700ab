package io.steadfs.fsck;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The kinds of findings of a check. On disk a kind is stored by its name, not its number. */
public enum FindingKind {
    /** No metafile lists the datafile, or ever will, and nobody is about to remove it: its space is lost. */
    LEAKED_DATAFILE("no metafile lists the datafile or ever will, and nobody is about to remove it: its space is lost"),
    /** A metafile lists a datafile that its IO server does not have: the data of the column is lost. */
    MISSING_DATAFILE("a metafile lists the datafile, its IO server does not have it: the bytes of the column are lost"),
    /**
     * A metafile lists a datafile that its IO server has on record as another column's. One of the two reads the other's bytes, or none.
     */
    FOREIGN_DATAFILE("a metafile lists the datafile, its IO server knows it as another column's"),
    /** Several metafiles list one datafile. */
    CLAIMED_TWICE("several metafiles list the datafile"),
    /** A shard's index of listed datafiles names a metafile that is not there, or does not list it. */
    STRAY_INDEX("a shard's index names a metafile for the datafile that is not there or does not list it"),
    /**
     * A metafile lists a datafile, but its shard's index does not lead to it. A reclaim of the datafile's handle would not see that it is
     * used.
     */
    MISSING_INDEX("a metafile lists the datafile, its shard's index does not lead there"),
    /** A datafile has fewer bytes than the recorded length of its closed file needs. */
    SHORT_DATAFILE("the datafile has fewer bytes than the recorded length of its closed file needs"),
    /** A server's store cannot read some rows, because one of its files is not as it was written. Nobody knows what those rows hold. */
    UNREADABLE_ROWS("rows that a server's store cannot read, since a file of the store is damaged"),
    /** A file of a server's store is not as it was written. */
    DAMAGED_FILE("a file of a server's store is not as written"),
    /** Bytes of a file are not as they were written. A reader of these bytes gets an error. */
    CHECKSUM_FAILURE(
            "bytes of a file, or their checksums, are not as written, or are not there; a reader of them gets an error"),
    /** The IO server's record of a datafile cannot be read. */
    UNREADABLE_DATAFILE("the IO server's row of the datafile cannot be read"),
    /** A row of a shard that cannot be decoded: a name, a partition, or an entry of the index. */
    UNREADABLE_RECORD("a name, partition or index entry of a shard cannot be read"),
    /** The row of a metafile or directory that cannot be decoded. Taking it away gives up everything that it led to. */
    UNREADABLE_OBJECT("the row of a metafile or directory cannot be read"),
    /** No name leads to the metafile, or ever will. */
    ORPHAN_METAFILE("no name leads to the metafile or ever will"),
    /** A name leads to an object that is not there. */
    DANGLING_DIRENT("a name leads to an object that is not there"),
    /** Several names lead to one object. */
    LINKED_TWICE("several names lead to one object"),
    /** A name says that a file is a directory, or the reverse. */
    WRONG_TYPE("a name says that a file is a directory, or the reverse"),
    /** A directory's row names a parent other than the directory that holds its name. */
    WRONG_PARENT("a directory's row names another parent than the directory with its name"),
    /** No name leads to a directory that nobody is about to clear, or only names below the directory itself lead to it. */
    UNREACHABLE_DIRECTORY("no path leads from the root to the directory: it has no name, or is below itself"),
    /** A directory has no partition for its names. */
    UNPARTITIONED_DIRECTORY("a directory has no partition 0"),
    /** A partition or names belong to a directory that does not exist. */
    UNREACHABLE_PARTITION("a partition or names of a directory that is not there"),
    /** A name is in a partition where nobody looks for it. */
    MISPLACED_DIRENT("a name is in a partition where nobody looks for it"),
    /** A row that holds a count of other rows is wrong. */
    WRONG_COUNTER("a row that counts others is wrong"),
    /**
     * A shard's part of an operation over several shards can never end. Either its coordinator does not know the operation, or the part
     * waits for a shard that does not exist.
     */
    STALE_INTENT(
            "an operation over several shards never ends: a shard holds something for an operation that its coordinator does"
                    + " not know, or an operation or a notice waits for a shard that is not there"),
    /** A datafile to be removed at an IO server that the cluster does not have. */
    STUCK_DELETION("a datafile is to be removed at an IO server that the cluster does not have"),
    /** A lease ended longer ago than anybody would wait for, and its handles are not taken back. */
    EXPIRED_LEASE("a lease is over for long, and handles that no file has are not taken back"),
    /** Two leases of an IO server with handles in common: two holders may put one datafile into two files. */
    OVERLAPPING_LEASES(
            "two leases of an IO server have handles in common, so that two holders may put one datafile into two files");

    private final String meaning;

    FindingKind(String meaning) {
        this.meaning = meaning;
    }

    /**
     * Kinds whose repair gives up something that could still be read, or that an operator could bring back. They are repaired only if they
     * are named explicitly.
     */
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

    /** Kinds that no check can repair: rows that a server's store cannot read are left to {@code bin/stead salvage}. */
    public static Set<FindingKind> ofStores() {
        return EnumSet.of(UNREADABLE_ROWS, DAMAGED_FILE);
    }

    /** The description in words. docs/command-line.md begins with it, too, and says more where the terminal has no room. */
    public String meaning() {
        return meaning;
    }

    /** The label as it is printed: {@code leaked-datafile}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The kind with this label; empty if there is none. */
    public static Optional<FindingKind> of(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findAny();
    }
}
