package io.steadfs.mds.op.write;

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
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AttachReply;
import io.steadfs.wire.proto.AttachRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Records the datafiles that first writes made. The attach of the session that made an untouched file makes the session
 * the file's writer. The attach is a compare-and-set: a column keeps the first datafile that it gets. The request also
 * records how far an hflush or hsync has come. These rules hold for the two lengths of a file:
 *
 * <ol>
 *   <li>The bytes below the recorded length are on stable storage. After a power cut, the columns still hold all bytes
 *       below the recorded length.
 *   <li>When a flush is answered, every reader can see the bytes below the flushed length. The flushed length counts
 *       only while the file is open. When a close or a recovery ends the writing, one decision records the final length
 *       and drops the flushed length.
 *   <li>Neither length falls while the file has the same writer. Only the writer of the present write generation
 *       changes the two lengths. So a late message of an earlier writer raises no length.
 *   <li>A reader always gets the greater of the two lengths. Both lengths are durable before the flush is answered. So
 *       a length that a reader got before a restart of this shard counts after the restart, too.
 * </ol>
 */
public final class AttachDatafiles extends NamespaceOperation<AttachRequest> {
    public AttachDatafiles() {
        super(Kind.ATTACH);
    }

    @Override
    public Decision<Reply> change(AttachRequest request, Context context) throws Refused {
        Handle metafile = new Handle(request.getMetafile());
        MetafileRow row = WrittenFile.find(context, metafile, request.getWriteGeneration());
        LayoutRow layout = WrittenFile.attach(metafile, row.getLayout(), request.getColumnsList());
        long length = raised(row.getLength(), request.getSyncedLength(), metafile, row, layout);
        long told = Math.max(length, row.getFlushedLength());
        long flushed = raised(told, request.getFlushedLength(), metafile, row, layout);
        MetafileRow.Builder changed = Metafiles.withLengths(row, length, flushed);
        AttachReply reply =
                AttachReply.newBuilder().setLayout(FileNode.layout(layout)).build();
        if (layout.getVersion() == row.getLayout().getVersion()
                && length == row.getLength()
                && changed.getFlushedLength() == row.getFlushedLength()) {
            return done(reply, List.of());
        }
        List<LogRecord> records = new ArrayList<>(IndexedColumns.more(context, metafile, row.getLayout(), layout));
        if (row.getUntouchedSession() != 0) {
            records.addAll(FileWriter.begun(context.view(), metafile, row, changed));
        }
        records.add(new MetafileSet(
                metafile,
                changed.setLayout(layout).setVersion(row.getVersion() + 1).build()));
        return done(reply, records);
    }

    private static long raised(long known, long asked, Handle metafile, MetafileRow row, LayoutRow layout)
            throws Refused {
        if (Long.compareUnsigned(asked, known) <= 0) {
            return known;
        }
        WrittenFile.checkLength(metafile, row, layout, asked);
        return asked;
    }
}
