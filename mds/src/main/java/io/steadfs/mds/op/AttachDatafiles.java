package io.steadfs.mds.op;

import io.steadfs.handle.Handle;
import io.steadfs.mds.metafile.MetafileSet;
import io.steadfs.mds.metafile.proto.LayoutRow;
import io.steadfs.mds.metafile.proto.MetafileRow;
import io.steadfs.mds.pipeline.Decision;
import io.steadfs.mds.record.LogRecord;
import io.steadfs.rpc.Reply;
import io.steadfs.wire.Kind;
import io.steadfs.wire.proto.AttachReply;
import io.steadfs.wire.proto.AttachRequest;
import java.util.ArrayList;
import java.util.List;

/**
 * Records the datafiles that first writes made, compare-and-set: a column keeps the datafile that it got first. With
 * hsync it also records the length that is on stable storage.
 */
public final class AttachDatafiles extends NamespaceOperation<AttachRequest> {
    public AttachDatafiles() {
        super(Kind.ATTACH);
    }

    @Override
    Decision<Reply> change(AttachRequest request, Context context) throws Refused {
        Handle metafile = new Handle(request.getMetafile());
        MetafileRow row = WrittenFile.find(context, metafile, request.getWriteGeneration());
        LayoutRow layout = WrittenFile.attach(metafile, row.getLayout(), request.getColumnsList());
        long length = row.getLength();
        if (Long.compareUnsigned(request.getSyncedLength(), length) > 0) {
            length = request.getSyncedLength();
            WrittenFile.checkLength(metafile, row, layout, length);
        }
        AttachReply reply =
                AttachReply.newBuilder().setLayout(FileNode.layout(layout)).build();
        if (layout.getVersion() == row.getLayout().getVersion() && length == row.getLength()) {
            return done(reply, List.of());
        }
        List<LogRecord> records = new ArrayList<>(ListedColumns.more(context, metafile, row.getLayout(), layout));
        records.add(new MetafileSet(
                metafile,
                row.toBuilder()
                        .setLayout(layout)
                        .setLength(length)
                        .setVersion(row.getVersion() + 1)
                        .build()));
        return done(reply, records);
    }
}
