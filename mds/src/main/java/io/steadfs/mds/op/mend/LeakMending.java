package io.steadfs.mds.op.mend;

import io.steadfs.handle.Handle;
import io.steadfs.mds.datafile.ListedDatafile;
import io.steadfs.mds.datafile.ListedDatafiles;
import io.steadfs.mds.deletion.DatafilesQueued;
import io.steadfs.mds.op.check.ColumnOnRecord;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.wire.proto.MendLeak;
import java.util.List;

/**
 * Removes a datafile that no metafile lists. The datafile goes through the deletion queue, like every removed datafile.
 */
record LeakMending(MendLeak request) implements Mending {
    @Override
    public Mended mend(Context context) throws Refused {
        Handle datafile = new Handle(request.getDatafile());
        Handle metafile = new Handle(request.getMetafile());
        boolean isIndexed = ListedDatafiles.met(context.view(), datafile).isPresent();
        if (isIndexed
                || ColumnOnRecord.isListed(
                        context.view(), new ListedDatafile(datafile, metafile, request.getIndex()))) {
            throw Mending.stale("datafile " + datafile + " is listed");
        }
        return Mended.of(List.of(new DatafilesQueued(metafile, List.of(datafile))));
    }
}
