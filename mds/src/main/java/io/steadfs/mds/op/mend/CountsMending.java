package io.steadfs.mds.op.mend;

import io.steadfs.handle.Handle;
import io.steadfs.mds.directory.Directories;
import io.steadfs.mds.directory.DirectorySet;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.xattr.Xattrs;
import io.steadfs.wire.proto.MendCounts;
import java.util.ArrayList;
import java.util.List;

/** Corrects the number of extended attributes in an object's row. */
record CountsMending(MendCounts request) implements Mending {
    @Override
    public Mended mend(Context context) throws Refused {
        Handle object = new Handle(request.getObject());
        int count = Xattrs.names(context.view(), object).size();
        List<LogRecord> records = new ArrayList<>();
        Directories.find(context.view(), object)
                .ifPresent(row -> records.add(new DirectorySet(
                        object, row.toBuilder().setXattrs(count).build())));
        Metafiles.find(context.view(), object)
                .ifPresent(row -> records.add(
                        new MetafileSet(object, row.toBuilder().setXattrs(count).build())));
        if (records.isEmpty()) {
            throw Mending.stale("object " + object + " is not there");
        }
        return Mended.of(records);
    }
}
