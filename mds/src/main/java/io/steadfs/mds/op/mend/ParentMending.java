package io.steadfs.mds.op.mend;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.directory.proto.DirectoryRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.ParticipantRows;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.wire.proto.MendParent;
import java.util.List;

/** Corrects the parent in a directory's row. */
record ParentMending(MendParent request) implements Mending {
    @Override
    public Mended mend(Context context) throws Refused {
        Handle directory = new Handle(request.getDirectory());
        DirectoryRow row = Directories.find(context.view(), directory)
                .orElseThrow(() -> Mending.stale("directory " + directory + " is not there"));
        if (row.getParent() != request.getInsteadOf()) {
            throw Mending.stale("the parent of directory " + directory + " is " + new Handle(row.getParent()));
        }
        if (row.hasLock()) {
            throw ParticipantRows.busy("directory " + directory, row.getLock());
        }
        return Mended.of(List.of(new DirectorySet(
                directory, row.toBuilder().setParent(request.getParent()).build())));
    }
}
