package io.steadfs.mds.op.write;

import io.steadfs.error.FsError;
import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.Metafiles;
import io.steadfs.mds.metafile.proto.LayoutRow;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.op.ground.Context;
import io.steadfs.mds.op.ground.FileNode;
import io.steadfs.mds.op.ground.FileWriter;
import io.steadfs.mds.op.ground.NamespaceOperation;
import io.steadfs.mds.op.ground.Refused;
import io.steadfs.mds.op.layout.IndexedColumns;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.mds.session.ClaimLapsed;
import io.steadfs.mds.session.Claims;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.CloseReply;
import io.steadfs.wire.proto.CloseRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Ends the writing of a file. One record attaches the last columns, sets the final length and removes the writer. The
 * close of an untouched file only ends its claim ({@link FileWriter}).
 */
public final class CloseFile extends NamespaceOperation<CloseRequest> {
    public CloseFile() {
        super(Kind.CLOSE);
    }

    @Override
    public Decision<Reply> change(CloseRequest request, Context context) throws Refused {
        Handle metafile = new Handle(request.getMetafile());
        MetafileRow row = WrittenFile.row(context, metafile, request.getWriteGeneration());
        if (request.getUntouched() && isUntouchedSince(context, row)) {
            return closeUntouched(request, metafile, row, context);
        }
        WrittenFile.checkWriter(context, metafile, row);
        LayoutRow layout = WrittenFile.attach(metafile, row.getLayout(), request.getColumnsList());
        WrittenFile.checkLength(metafile, row, layout, request.getLength());
        if (request.getLength() < row.getFlushedLength()) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    "length " + request.getLength() + " of metafile " + metafile + " is below the "
                            + row.getFlushedLength() + " bytes that its writer flushed");
        }
        MetafileRow closed = Metafiles.withLengths(row, request.getLength(), 0)
                .setLayout(layout)
                .setModificationTime(context.now())
                .setWriterSession(0)
                .setUntouchedSession(0)
                .setVersion(row.getVersion() + 1)
                .build();
        CloseReply reply = CloseReply.newBuilder()
                .setAttributes(new FileNode(metafile, closed).attributes(true))
                .build();
        List<LogRecord> records = new ArrayList<>(IndexedColumns.more(context, metafile, row.getLayout(), layout));
        records.add(new MetafileSet(metafile, closed));
        records.addAll(FileWriter.ended(context.view(), metafile, row));
        return done(reply, records);
    }

    /**
     * Whether the caller's session made the file, and nothing has changed the file since. Then the caller may close the
     * file, or has closed it, even if the shard knows nothing of the claim any more.
     */
    private static boolean isUntouchedSince(Context context, MetafileRow row) {
        long session = context.principal().session();
        return session != 0 && row.getUntouchedSession() == session && row.getWriterSession() == 0;
    }

    /**
     * Ends the claim of the file's writer. The metafile's row says already that the file is closed and empty. So nothing
     * durable changes, and the answer does not wait for a commit.
     */
    private static Decision<Reply> closeUntouched(
            CloseRequest request, Handle metafile, MetafileRow row, Context context) throws Refused {
        if (request.getLength() != 0 || request.getColumnsCount() != 0) {
            throw new Refused(
                    FsError.INVALID_ARGUMENT,
                    "the close of metafile " + metafile + " says that nothing was written, but names "
                            + request.getColumnsCount() + " columns and " + Long.toUnsignedString(request.getLength())
                            + " bytes");
        }
        List<LogRecord> records = new ArrayList<>(FileWriter.ended(context.view(), metafile, row));
        if (Claims.isOfEarlierLife(context.view(), metafile)) {
            records.add(new ClaimLapsed(metafile));
        }
        // The answer leaves before the commit. So it has no attributes, which may not be durable yet.
        return new Decision<>(records, Reply.ok(CloseReply.getDefaultInstance()), true);
    }
}
