package io.steadfs.mds.op.mend;

import io.steadfs.handle.Handle;
import io.steadfs.mds.datafile.DatafilesListed;
import io.steadfs.mds.datafile.DatafilesUnlisted;
import io.steadfs.mds.datafile.ListedDatafile;
import io.steadfs.mds.datafile.ListedDatafiles;
import io.steadfs.mds.op.check.ColumnOnRecord;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.wire.proto.MendIndex;
import java.util.List;
import java.util.Optional;

/**
 * Corrects the index entry of a datafile. After the repair, the index has the entry only if the metafile lists the
 * datafile.
 */
record IndexMending(MendIndex request) implements Mending {
    @Override
    public Mended mend(Context context) throws Refused {
        ListedDatafile claim = new ListedDatafile(
                new Handle(request.getDatafile()), new Handle(request.getMetafile()), request.getIndex());
        Optional<ListedDatafile> indexed =
                ListedDatafiles.met(context.view(), claim.datafile()).flatMap(ListedDatafiles.Met::listed);
        boolean isListed = ColumnOnRecord.isListed(context.view(), claim);
        if (isListed && indexed.isPresent() && ColumnOnRecord.isListed(context.view(), indexed.get())) {
            throw Mending.stale("datafile " + claim.datafile() + " is listed by metafile "
                    + indexed.get().metafile());
        }
        if (!isListed && !indexed.equals(Optional.of(claim))) {
            throw Mending.stale(
                    "the index does not lead from datafile " + claim.datafile() + " to metafile " + claim.metafile());
        }
        LogRecord record =
                isListed ? new DatafilesListed(List.of(claim)) : new DatafilesUnlisted(List.of(claim.datafile()));
        return Mended.of(List.of(record));
    }
}
