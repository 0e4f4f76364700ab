package io.steadfs.mds.op.write;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.layout.Striping;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.LayoutRow;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.FileWriter;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.session.Session;
import io.steadfs.wire.proto.AttachedColumn;
import java.util.List;

/** Finds and changes a file for the session that is its writer. AttachDatafiles and CloseFile share this class. */
final class WrittenFile {
    private WrittenFile() {}

    /** The row of the metafile. Refuses if the caller is not the writer of the file. */
    static MetafileRow find(Context context, Handle handle, long generation) throws Refused {
        MetafileRow row = row(context, handle, generation);
        checkWriter(context, handle, row);
        return row;
    }

    /** The row of the metafile. Refuses if the metafile is not at the given write generation. */
    static MetafileRow row(Context context, Handle handle, long generation) throws Refused {
        if (!handle.isOwnedByShard()) {
            throw new Refused(FsError.INVALID_ARGUMENT, "handle " + handle + " names no metafile");
        }
        if (handle.shard() != context.inputs().shard()) {
            throw new Refused(
                    FsError.NOT_OWNER,
                    "metafile " + handle + " is not on shard "
                            + context.inputs().shard());
        }
        MetafileRow row = Metafiles.find(context.view(), handle)
                .orElseThrow(() -> new Refused(FsError.NOT_FOUND, "metafile " + handle + " was removed"));
        if (row.getWriteGeneration() != generation) {
            throw new Refused(
                    FsError.STALE_GENERATION,
                    "metafile " + handle + " is at write generation " + row.getWriteGeneration() + ", not "
                            + generation);
        }
        return row;
    }

    /** Refuses if the caller is not the writer of the file. */
    static void checkWriter(Context context, Handle handle, MetafileRow row) throws Refused {
        long session = context.principal().session();
        if (!FileWriter.mayWrite(context.view(), session, handle, row)) {
            FileWriter writer = FileWriter.of(context.view(), handle, row);
            throw new Refused(
                    FsError.NOT_WRITER,
                    "metafile " + handle + " is "
                            + (writer.session() == 0 ? "closed" : "written by session " + writer.name())
                            + ", not written by session " + Session.name(session));
        }
    }

    /**
     * The layout with the given columns attached. The layout gets a new version, unless all these columns were attached
     * before.
     */
    static LayoutRow attach(Handle metafile, LayoutRow layout, List<AttachedColumn> columns) throws Refused {
        if (columns.size() > layout.getDatafilesCount()) {
            throw new Refused(
                    FsError.TOO_LARGE,
                    columns.size() + " columns to attach are above the " + layout.getDatafilesCount() + " of metafile "
                            + metafile);
        }
        LayoutRow.Builder changed = layout.toBuilder();
        boolean any = false;
        for (AttachedColumn column : columns) {
            Handle datafile = new Handle(column.getDatafile());
            int index = column.getIndex();
            if (index < 0 || index >= layout.getDatafilesCount()) {
                throw new Refused(
                        FsError.INVALID_ARGUMENT,
                        "metafile " + metafile + " has " + layout.getDatafilesCount() + " columns, none at "
                                + Integer.toUnsignedString(index));
            }
            if (!datafile.isOwnedByIoServer()) {
                throw new Refused(
                        FsError.INVALID_ARGUMENT,
                        "handle " + datafile + " for column " + index + " of metafile " + metafile + " is of owner "
                                + datafile.owner() + " and names no datafile");
            }
            long present = changed.getDatafiles(index);
            if (present == 0) {
                changed.setDatafiles(index, datafile.value());
                any = true;
            } else if (present != datafile.value()) {
                throw new Refused(
                        FsError.ALREADY_ATTACHED,
                        "column " + index + " of metafile " + metafile + " has datafile " + new Handle(present)
                                + ", not " + datafile);
            }
        }
        return any ? changed.setVersion(layout.getVersion() + 1).build() : layout;
    }

    /**
     * Refuses a wrong length of a file. The attached columns must be able to hold the length. The length must not
     * exceed the most bytes that a file of this layout can have. The length must not be below the recorded length.
     */
    static void checkLength(Handle metafile, MetafileRow row, LayoutRow layout, long length) throws Refused {
        Striping striping = new Striping(layout.getStripSize(), layout.getWidth());
        if (length < 0 || length > striping.mostFileBytes()) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    "length " + Long.toUnsignedString(length) + " of metafile " + metafile + " is above the "
                            + striping.mostFileBytes() + " bytes that its " + layout.getWidth() + " columns can hold");
        }
        if (length < row.getLength()) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    "length " + length + " of metafile " + metafile + " is below its recorded length "
                            + row.getLength());
        }
        for (int i = 0; i < layout.getDatafilesCount(); i++) {
            if (layout.getDatafiles(i) == 0 && striping.datafileLength(i % layout.getWidth(), length) > 0) {
                throw new Refused(
                        FsError.INVALID_ARGUMENT,
                        "length " + length + " of metafile " + metafile + " needs column " + i
                                + ", which has no datafile");
            }
        }
    }
}
