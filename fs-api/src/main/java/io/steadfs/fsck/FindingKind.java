package io.steadfs.fsck;

import java.util.Locale;

/** What a check may find. */
public enum FindingKind {
    /** A datafile that no metafile lists, nor will, and that nobody is about to remove: its space is lost. */
    LEAKED_DATAFILE,
    /** A metafile lists a datafile that its IO server does not have: what was in the column is lost. */
    MISSING_DATAFILE,
    /** A metafile lists a datafile that its IO server knows as another metafile's: one of them reads the other's bytes, or none. */
    FOREIGN_DATAFILE,
    /** Several metafiles, or several shards, list one datafile. */
    CLAIMED_TWICE,
    /** A shard's index of listed datafiles names a metafile that is not there, or does not list it. */
    STRAY_INDEX,
    /** A datafile has fewer bytes than the recorded length of its closed file needs. */
    SHORT_DATAFILE,
    /** What the IO server has on record of a datafile cannot be read. */
    UNREADABLE_DATAFILE;

    /** As it is printed: {@code leaked-datafile}. */
    public String label() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }
}
