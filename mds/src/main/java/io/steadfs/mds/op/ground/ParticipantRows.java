package io.steadfs.mds.op.ground;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.intent.SlotId;
import io.steadfs.mds.state.proto.LockRow;

/** Reads rows for a participant of an intent, and makes the refusals of a participant. */
public final class ParticipantRows {
    private ParticipantRows() {}

    /**
     * The row of the directory, which must exist on this shard.
     *
     * @throws Refused NOT_OWNER if another shard owns the directory; STALE_START if the directory no longer exists
     */
    public static DirectoryRow directory(Handle directory, Context context) throws Refused {
        if (!context.owns(directory)) {
            throw new Refused(
                    FsError.NOT_OWNER,
                    "directory " + directory + " is not on shard "
                            + context.inputs().shard());
        }
        return Directories.find(context.view(), directory)
                .orElseThrow(
                        () -> new Refused(FsError.STALE_START, "directory " + directory + " does not exist any more"));
    }

    public static Refused busy(String what, LockRow holder) {
        return new Refused(FsError.BUSY, what + " is held by " + SlotId.of(holder) + "; try again");
    }
}
