package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.wire.Kind;
import java.util.Set;

/**
 * Why an IO server answers no longer, or only in part. A store that refused a commit can still be read: its contents, and the views that
 * lanes published before, are as they were. STATUS is always answered.
 *
 * @param why for people
 * @param storeFailed true if the disk refused a commit, or a read of the store; false if the server is stopping, or an invariant broke
 * @param full whether the disk refused because it is full
 */
public record Stopped(String why, boolean storeFailed, boolean full) {
    private static final Set<Kind> READS = Set.of(Kind.READ, Kind.STAT_DATAFILES, Kind.CHECKSUM);

    /** Whether requests of the kind are still answered. */
    public boolean answers(Kind kind) {
        return kind == Kind.STATUS || (storeFailed && READS.contains(kind));
    }

    /** The error for the other kinds. A write may safely be repeated, so its caller may learn at once that the disk is full. */
    public FsError error(Kind kind) {
        return full && kind == Kind.WRITE ? FsError.NO_SPACE : FsError.UNAVAILABLE;
    }
}
