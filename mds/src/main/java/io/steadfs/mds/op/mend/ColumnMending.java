package io.steadfs.mds.op.mend;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.layout.Striping;
import io.steadfs.mds.datafile.DatafilesUnlisted;
import io.steadfs.mds.datafile.ListedDatafile;
import io.steadfs.mds.datafile.ListedDatafiles;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.LayoutRow;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.check.ColumnOnRecord;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.FileWriter;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.RecoveryQueued;
import io.steadfs.mds.state.LossIncarnation;
import io.steadfs.mds.state.ShardTables;
import io.steadfs.store.Unsettled;
import io.steadfs.wire.proto.MendColumn;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Shortens a file to the place where one of its columns has no more bytes. The repair works like a truncate ({@code
 * TruncateFile}). Bytes of other columns beyond the new end of the file are lost. If the column's datafile is lost or
 * belongs to another file, the repair also takes the datafile out of the column.
 */
record ColumnMending(MendColumn request) implements Mending {
    @Override
    public Mended mend(Context context) throws Refused {
        Handle metafile = new Handle(request.getMetafile());
        ListedDatafile claim = new ListedDatafile(new Handle(request.getDatafile()), metafile, request.getIndex());
        MetafileRow row = Metafiles.find(context.view(), metafile)
                .filter(found -> ColumnOnRecord.listsAt(found.getLayout(), claim.index(), claim.datafile()))
                .orElseThrow(() -> Mending.stale("metafile " + metafile + " does not have datafile " + claim.datafile()
                        + " as column " + Integer.toUnsignedString(claim.index())));
        ColumnOnRecord.checkLayout(metafile, row.getLayout());
        if (row.getVersion() != request.getVersion()) {
            throw Mending.stale("metafile " + metafile + " is at version " + row.getVersion());
        }
        if (isAtWork(row, context)) {
            throw Mending.stale("file " + metafile + " is being written or recovered");
        }
        if (row.getLayout().getDatafilesCount() > row.getLayout().getWidth()) {
            throw new Refused(FsError.INVALID_ARGUMENT, "file " + metafile + " has copies of its columns");
        }
        List<LogRecord> records = new ArrayList<>();
        records.add(new MetafileSet(metafile, shortened(row, context)));
        records.add(new RecoveryQueued(metafile));
        if (request.getDrop()
                && ListedDatafiles.met(context.view(), claim.datafile())
                        .flatMap(ListedDatafiles.Met::listed)
                        .equals(Optional.of(claim))) {
            records.add(new DatafilesUnlisted(List.of(claim.datafile())));
        }
        return Mended.of(records);
    }

    /**
     * Whether the file is being written or recovered. A recovery that cannot end now does not count. While the shard is
     * not settled, no recovery begins. If the cluster does not have the datafile's IO server, no recovery ends.
     */
    private boolean isAtWork(MetafileRow row, Context context) {
        boolean isHeld = Unsettled.of(context.view(), ShardTables.META).isPresent();
        boolean isOfStranger = KnownIoServers.of(context).lack(new Handle(request.getDatafile()).owner());
        boolean isWritten = FileWriter.of(context.view(), new Handle(request.getMetafile()), row)
                        .session()
                != 0;
        return isWritten || (!isHeld && !isOfStranger && Metafiles.isOpen(row));
    }

    private MetafileRow shortened(MetafileRow row, Context context) {
        LayoutRow layout = row.getLayout();
        long end = new Striping(layout.getStripSize(), layout.getWidth())
                .fileOffset(request.getIndex(), request.getBytes());
        MetafileRow.Builder shortened = row.toBuilder()
                .setLength(Math.min(Metafiles.toldLength(row), end))
                .setFlushedLength(0)
                .setModificationTime(context.now())
                .setWriteGeneration(LossIncarnation.generationAfter(context.view(), row.getWriteGeneration()))
                .setUntouchedSession(0)
                .setRecovering(true)
                .setCut(true)
                .setVersion(row.getVersion() + 1);
        if (request.getDrop()) {
            shortened.getLayoutBuilder().setDatafiles(request.getIndex(), 0).setVersion(layout.getVersion() + 1);
        }
        return shortened.build();
    }
}
