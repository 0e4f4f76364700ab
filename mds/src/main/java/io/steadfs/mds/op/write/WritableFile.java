package io.steadfs.mds.op.write;

import io.steadfs.error.FsError;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.FileNode;
import io.steadfs.mds.op.ground.FileWriter;
import io.steadfs.mds.op.ground.PathWalk;
import io.steadfs.mds.op.ground.Permissions;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.wire.proto.Location;

/**
 * Finds a file by its path and checks that the caller may write the file. AppendFile, TruncateFile and RecoverLease
 * begin with this class.
 */
final class WritableFile {
    private WritableFile() {}

    /** @throws Refused NOT_FOUND, IS_A_DIRECTORY or PERMISSION_DENIED; or with the error of the walk */
    static FileNode find(Location location, Context context) throws Refused {
        PathWalk walk = PathWalk.to(location, context);
        walk.requireFound();
        if (!(walk.node() instanceof FileNode file)) {
            throw new Refused(FsError.IS_A_DIRECTORY, walk.text() + " is a directory");
        }
        Permissions.require(context.principal(), file, Permissions.WRITE, walk.text());
        return file;
    }

    /**
     * Refuses a file that is not closed. The error is FILE_OPEN if somebody writes the file, or if the file awaits the
     * recovery of its length. After FILE_OPEN, the caller may ask for the recovery of the file's lease. The error is
     * BUSY if a truncate of the file is not finished. A file with an unfinished truncate is closed, but IO servers must
     * still cut its datafiles. The error is also BUSY if this shard started lately, and the session that made the file
     * may claim it again.
     */
    static void requireClosed(FileNode file, Context context) throws Refused {
        MetafileRow row = file.row();
        FileWriter writer = FileWriter.of(context.view(), file.handle(), row);
        if (writer.isInDoubt()) {
            throw new Refused(
                    FsError.BUSY,
                    "file " + file.handle() + " may be open in session " + writer.name()
                            + ", which has had no time yet to say so since the shard started");
        }
        if (writer.session() != 0) {
            throw new Refused(FsError.FILE_OPEN, "file " + file.handle() + " is written by session " + writer.name());
        }
        if (row.getRecovering()) {
            throw row.getCut()
                    ? new Refused(FsError.BUSY, "file " + file.handle() + " is being truncated to " + row.getLength())
                    : new Refused(
                            FsError.FILE_OPEN, "file " + file.handle() + " lost its writer and is being recovered");
        }
    }
}
