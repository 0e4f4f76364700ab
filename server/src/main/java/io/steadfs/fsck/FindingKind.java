package io.steadfs.fsck;

import java.util.Arrays;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** The kinds of findings of a check. The work of a check stores a kind by its name, not by its number. */
public enum FindingKind {
    /**
     * No metafile lists the datafile now, and no metafile will ever list the datafile. No server is about to remove the
     * datafile. So the space of the datafile is lost.
     */
    LEAKED_DATAFILE("no metafile lists the datafile or ever will, and nobody is about to remove it: its space is lost"),
    /** A metafile lists a datafile that its IO server does not have. So the data of one column of a file is lost. */
    MISSING_DATAFILE("a metafile lists the datafile, its IO server does not have it: the bytes of the column are lost"),
    /**
     * A metafile lists a datafile, but the IO server's row says that the datafile belongs to another column. So at
     * least one of the two columns reads wrong bytes or none.
     */
    FOREIGN_DATAFILE("a metafile lists the datafile, its IO server knows it as another column's"),
    /** Several metafiles list one datafile. */
    CLAIMED_TWICE("several metafiles list the datafile"),
    /**
     * A shard's index says that a metafile lists a datafile, but the metafile does not exist or does not list the
     * datafile.
     */
    STRAY_INDEX("a shard's index names a metafile for the datafile that is not there or does not list it"),
    /**
     * A metafile lists a datafile, but the shard's index has no entry for the datafile. So the IO server could reclaim
     * the datafile's handle although a file uses the datafile.
     */
    MISSING_INDEX("a metafile lists the datafile, its shard's index does not lead there"),
    /** A datafile has fewer bytes than the recorded length of its closed file needs. */
    SHORT_DATAFILE("the datafile has fewer bytes than the recorded length of its closed file needs"),
    /**
     * A server's store cannot read some rows, because a file of the store was damaged. The content of those rows is
     * unknown.
     */
    UNREADABLE_ROWS("rows that a server's store cannot read, since a file of the store is damaged"),
    /** A file of a server's store was damaged after the store wrote it. */
    DAMAGED_FILE("a file of a server's store is not as written"),
    /** Bytes of a file were damaged after a client wrote them. A reader of these bytes gets an error. */
    CHECKSUM_FAILURE(
            "bytes of a file, or their checksums, are not as written, or are not there; a reader of them gets an error"),
    /** The IO server cannot decode its row of a datafile. */
    UNREADABLE_DATAFILE("the IO server's row of the datafile cannot be read"),
    /** A shard cannot decode a row. The row is a name, a partition, or an entry of the index. */
    UNREADABLE_RECORD("a name, partition or index entry of a shard cannot be read"),
    /**
     * A shard cannot decode the row of a metafile or directory. If a repair removes the row, everything that the row
     * led to is lost.
     */
    UNREADABLE_OBJECT("the row of a metafile or directory cannot be read"),
    /** No name leads to the metafile, and no name will ever lead to the metafile. */
    ORPHAN_METAFILE("no name leads to the metafile or ever will"),
    /** A name leads to an object that does not exist. */
    DANGLING_DIRENT("a name leads to an object that is not there"),
    /** Several names lead to one object. */
    LINKED_TWICE("several names lead to one object"),
    /** A name says that a file is a directory, or the reverse. */
    WRONG_TYPE("a name says that a file is a directory, or the reverse"),
    /** A directory's row names a parent other than the directory that holds its name. */
    WRONG_PARENT("a directory's row names another parent than the directory with its name"),
    /**
     * No path leads from the root to a directory that no shard is about to clear. Either the directory has no name, or
     * the directory is below itself.
     */
    UNREACHABLE_DIRECTORY("no path leads from the root to the directory: it has no name, or is below itself"),
    /** A directory has no row in which its entries are counted. */
    UNPARTITIONED_DIRECTORY("a directory has no row with its counts"),
    /** A partition, or some names, belong to a directory that does not exist. */
    UNREACHABLE_PARTITION("a partition or names of a directory that is not there"),
    /** A name is in a partition where lookups never search for that name. */
    MISPLACED_DIRENT("a name is in a partition where nobody looks for it"),
    /** The map of the directory does not lead to a partition of it. So its names are not found. */
    LOST_PARTITION("a partition that the map of its directory does not lead to"),
    /**
     * The map of a directory with several partitions leaves out hashes of names, or has some twice, or an entry leads to a
     * directory that is no partition. Or a shard has an entry of a map that nobody uses. Or a directory or partition has
     * a mark that it gives or gets names, and no operation does that.
     */
    DAMAGED_MAP(
            "the map of a directory with several partitions leaves out names, or has a wrong entry; or a directory has a mark"
                    + " of an operation that nobody makes"),
    /**
     * The shard of a partition has no entry for it, or another range of hashes than the map of the directory. So some
     * names of the directory are not found.
     */
    UNMAPPED_PARTITION("a partition's own shard does not say what the map of its directory says"),
    /** A row that counts other rows has a wrong number. */
    WRONG_COUNTER("a row that counts others is wrong"),
    /**
     * A shard's part of an operation over several shards can never end. Either the operation's coordinator does not
     * know the operation, or the part waits for a shard that does not exist.
     */
    STALE_INTENT(
            "an operation over several shards never ends: a shard holds something for an operation that its coordinator does"
                    + " not know, or an operation or a notice waits for a shard that is not there"),
    /** A shard is to remove a datafile at an IO server that the cluster does not have. */
    STUCK_DELETION("a datafile is to be removed at an IO server that the cluster does not have"),
    /** A lease has been over for too long, and the IO server has not taken its unused handles back. */
    EXPIRED_LEASE("a lease is over for long, and handles that no file has are not taken back"),
    /** Two leases of an IO server have handles in common. So two holders may put one datafile into two files. */
    OVERLAPPING_LEASES(
            "two leases of an IO server have handles in common, so that two holders may put one datafile into two files");

    private final String meaning;

    FindingKind(String meaning) {
        this.meaning = meaning;
    }

    /**
     * Kinds whose repair gives up data that a user could still read, or that an operator could restore. A repair
     * includes a kind of this set only if the user names the kind.
     */
    public static Set<FindingKind> givingUp() {
        return EnumSet.of(
                MISSING_DATAFILE,
                FOREIGN_DATAFILE,
                CLAIMED_TWICE,
                SHORT_DATAFILE,
                CHECKSUM_FAILURE,
                UNREADABLE_DATAFILE,
                UNREADABLE_OBJECT,
                DAMAGED_MAP);
    }

    /** Kinds that no check can repair. An operator repairs a damaged store by {@code bin/stead salvage}. */
    public static Set<FindingKind> ofStores() {
        return EnumSet.of(UNREADABLE_ROWS, DAMAGED_FILE);
    }

    /**
     * The description of the kind in words. The entry of the kind in docs/command-line.md begins with the same words.
     */
    public String meaning() {
        return meaning;
    }

    /** The label of the kind as commands print it, such as {@code leaked-datafile}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    /** The kind with this label; empty if no kind has it. */
    public static Optional<FindingKind> of(String label) {
        return Arrays.stream(values())
                .filter(each -> each.label().equals(label))
                .findAny();
    }
}
