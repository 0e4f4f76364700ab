package io.steadfs.ioserver.op;

import io.steadfs.error.FsError;
import io.steadfs.wire.Kind;
import java.util.Set;

/**
 * Why an IO server answers no longer, or only in part. A store that refused a commit can still be read: what it holds and
 * what lanes published before is as it was. STATUS is always answered.
 *
 * @param why for people
 * @param storeFailed the disk refused a commit, or a read of the store; otherwise it is stopping, or an invariant broke
 * @param full the disk refused because it is full
 */
public record Stopped(String why, boolean storeFailed, boolean full) {
    private static final Set<Kind> READS = Set.of(Kind.READ, Kind.STAT_DATAFILES, Kind.CHECKSUM);

    /** Whether the kind is answered none the less. */
    public boolean answers(Kind kind) {
        return kind == Kind.STATUS || (storeFailed && READS.contains(kind));
    }

    /** How the others are refused. A write is harmless to repeat, so its caller may know at once that the disk is full. */
    public FsError error(Kind kind) {
        return full && kind == Kind.WRITE ? FsError.NO_SPACE : FsError.UNAVAILABLE;
    }
}
