package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.wire.Kind;
import java.util.Set;

/**
 * Says why an IO server answers no requests any more, or only some. After a failed commit the store can still be read.
 * The store's contents and the views that lanes published have not changed. STATUS is always answered.
 *
 * @param why the reason, for people
 * @param storeFailed true if the disk refused a commit or a read of the store; false if the server is stopping or an
 *     invariant broke
 * @param full whether the disk refused because it is full
 */
public record Stopped(String why, boolean storeFailed, boolean full) {
    private static final Set<Kind> READS = Set.of(Kind.READ, Kind.STAT_DATAFILES, Kind.CHECKSUM);

    /** Whether requests of the kind are still answered. */
    public boolean answers(Kind kind) {
        return kind == Kind.STATUS || (storeFailed && READS.contains(kind));
    }

    /**
     * The error for the kinds that are not answered. The caller of a WRITE learns at once that the disk is full,
     * because a write may safely be repeated.
     */
    public FsError error(Kind kind) {
        return full && kind == Kind.WRITE ? FsError.NO_SPACE : FsError.UNAVAILABLE;
    }
}
